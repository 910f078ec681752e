//! Asks a server for the same thing as fast as it answers: load ADDRESS BODY-FILE CONNECTIONS SECONDS
//!
//! Prints how many good answers a second came. It needs the standard library alone, so that `rustc -O` makes it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let [address, file, connections, seconds] = words.as_slice() else {
        panic!("load ADDRESS BODY-FILE CONNECTIONS SECONDS")
    };
    let (host, path) = address.trim_start_matches("http://").split_once('/').expect("an address with a path");
    let body = fs::read(file).expect("the file of the body");
    let head = format!(
        "POST /{path} HTTP/1.1\r\nhost: {host}\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let request = [head.into_bytes(), body].concat();
    let seconds: f64 = seconds.parse().expect("seconds");
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(seconds);
    let count = thread::scope(|scope| {
        let all: Vec<_> = (0..connections.parse().expect("connections"))
            .map(|_: usize| scope.spawn(|| ask(host, &request, end)))
            .collect();
        all.into_iter().map(|one| one.join().expect("no panic")).sum::<u64>()
    });
    println!("{:.1}", count as f64 / start.elapsed().as_secs_f64());
}

/// Asks over and over; gives how many answers were good. A server that closes the connection is asked over a new one.
fn ask(host: &str, request: &[u8], end: Instant) -> u64 {
    let mut count = 0;
    while Instant::now() < end {
        let Ok(stream) = TcpStream::connect(host) else { continue };
        stream.set_nodelay(true).expect("a socket");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket");
        let mut reader = BufReader::with_capacity(1 << 16, &stream);
        while Instant::now() < end {
            if (&stream).write_all(request).is_err() {
                break;
            }
            match answer(&mut reader) {
                Ok(status) => count += u64::from(status == 200),
                Err(_) => break,
            }
        }
    }
    count
}

/// Reads an answer to its end; gives its status.
fn answer(reader: &mut impl BufRead) -> io::Result<u16> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    let (mut length, mut is_chunked) = (None, false);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (name, value) = line.split_once(':').unwrap_or((line.trim(), ""));
        match name.to_ascii_lowercase().as_str() {
            "" => break,
            "content-length" => length = value.trim().parse().ok(),
            "transfer-encoding" => is_chunked = value.trim().eq_ignore_ascii_case("chunked"),
            _ => {}
        }
    }
    if is_chunked {
        while chunk(reader)? > 0 {}
    } else {
        skip(reader, length.ok_or(io::ErrorKind::InvalidData)?)?;
    }
    Ok(status)
}

/// Reads a chunk; gives its size.
fn chunk(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let size = u64::from_str_radix(line.trim(), 16).map_err(|_| io::ErrorKind::InvalidData)?;
    skip(reader, size + 2)?;
    Ok(size)
}

fn skip(reader: &mut impl BufRead, bytes: u64) -> io::Result<()> {
    let read = io::copy(&mut reader.take(bytes), &mut io::sink())?;
    if read == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
