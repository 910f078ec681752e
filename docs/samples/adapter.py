from turnproof_subject import history, serve

def normalize_api(messages, options):
    return history(messages)

serve(name="my-pipeline", normalize_api=normalize_api)
