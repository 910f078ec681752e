//! The chart of docs/performance.md, drawn from the last runs of the benchmarks: what reads how fast, what a message
//! costs in lists of ever more messages, and what a case of the suite costs by part, before and after.
//!
//! `cargo bench --bench chart -- docs/performance.svg`, after `cargo bench --bench read`, `normalize` and `suite`.
//! `-- --keep FILE` keeps what cases cost in a file, for another run to draw it as *before*: `-- --before FILE CHART`.

mod figures;

use std::error::Error;
use std::path::Path;

use figures::{Cost, Figures, Row};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn Error>>;

const SIZE: (u32, u32) = (960, 1_180);
const BLUE: RGBColor = RGBColor(0x1f, 0x6f, 0xb2);
const GREY: RGBColor = RGBColor(0xa8, 0xb0, 0xb8);
const COLOURS: [RGBColor; 7] = [
    BLUE,
    RGBColor(0xd9, 0x5f, 0x02),
    RGBColor(0x1b, 0x9e, 0x77),
    RGBColor(0x75, 0x70, 0xb3),
    RGBColor(0xe7, 0x29, 0x8a),
    RGBColor(0x66, 0x66, 0x66),
    RGBColor(0xe6, 0xab, 0x02),
];

fn main() -> Drawn {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["--keep", file] => Ok(std::fs::write(file, serde_json::to_string_pretty(&figures::cases()?)? + "\n")?),
        ["--before", file, chart] => draw(Path::new(chart), &figures::read(Some(Path::new(file)))?),
        [chart] => draw(Path::new(chart), &figures::read(None)?),
        _ => {
            eprintln!("chart: nothing to do; give the file to draw, such as docs/performance.svg");
            Ok(())
        }
    }
}

fn draw(path: &Path, figures: &Figures) -> Drawn {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let parts = area.split_evenly((3, 1));
    bars(&parts[0], "Reading a generated transcript, MB a second", &figures.readers)?;
    lines(&parts[1], "Nanoseconds a message, by how many there are (both axes logarithmic)", &figures.lists)?;
    costs(&parts[2], "Microseconds a case of the suite: before (grey) and now", &figures.costs)?;
    area.present()?;
    Ok(())
}

/// One bar a row, with its name before it and its figure behind it.
fn bars(area: &Area<'_>, title: &str, rows: &[(String, f64)]) -> Drawn {
    let most = rows.iter().map(|(_, figure)| *figure).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .set_label_area_size(LabelAreaPosition::Left, 270)
        .build_cartesian_2d(0.0..most * 1.12, 0.0..rows.len().max(1) as f64)?;
    for (place, (name, figure)) in rows.iter().rev().enumerate() {
        let (low, high) = (place as f64 + 0.15, place as f64 + 0.85);
        let colour = if name.starts_with("turnproof") { BLUE } else { GREY };
        chart.draw_series([Rectangle::new([(0.0, low), (*figure, high)], colour.filled())])?;
        named(area, &chart, name, place as f64 + 0.5)?;
        let label = Text::new(format!(" {figure:.0}"), (*figure, place as f64 + 0.68), ("sans-serif", 14));
        chart.draw_series([label])?;
    }
    Ok(())
}

/// Writes a row's name to the left of a chart.
fn named<'a>(
    area: &Area<'a>,
    chart: &ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
    name: &str,
    height: f64,
) -> Drawn {
    let (left, top) = area.get_base_pixel();
    let (_, y) = chart.backend_coord(&(0.0, height));
    area.draw(&Text::new(name.to_owned(), (14 - left.min(0), y - top - 8), ("sans-serif", 14)))?;
    Ok(())
}

/// One line a row, over the lengths of lists.
fn lines(area: &Area<'_>, title: &str, rows: &[Row]) -> Drawn {
    let points = || rows.iter().flat_map(|row| &row.points);
    let (least, most) = bounds(points().map(|point| point.1));
    let (shortest, longest) = bounds(points().map(|point| point.0));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .set_label_area_size(LabelAreaPosition::Left, 60)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d((shortest..longest * 40.0).log_scale(), (least * 0.8..most * 1.25).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_label_formatter(&thousands)
        .y_label_formatter(&thousands)
        .draw()?;
    for (row, colour) in rows.iter().zip(COLOURS.iter().cycle()) {
        chart.draw_series(LineSeries::new(row.points.iter().copied(), colour.stroke_width(2)))?;
        if let Some(&(length, figure)) = row.points.last() {
            let style = ("sans-serif", 13).into_font().color(colour);
            chart.draw_series([Text::new(format!("  {}", row.name), (length, figure * 1.06), style)])?;
        }
    }
    Ok(())
}

/// Two bars a part of a case: what it cost before, and what it costs now.
fn costs(area: &Area<'_>, title: &str, rows: &[Cost]) -> Drawn {
    let most = rows.iter().map(|row| row.now.max(row.before.unwrap_or_default())).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .set_label_area_size(LabelAreaPosition::Left, 270)
        .build_cartesian_2d(0.0..most * 1.12, 0.0..rows.len().max(1) as f64)?;
    for (place, row) in rows.iter().rev().enumerate() {
        let place = place as f64;
        named(area, &chart, &row.name, place + 0.5)?;
        let both = [(row.before, GREY, 0.5, 0.88), (Some(row.now), BLUE, 0.12, 0.5)];
        for (figure, colour, low, high) in both {
            let Some(figure) = figure else { continue };
            let corners = [(0.0, place + low), (figure, place + high)];
            chart.draw_series([Rectangle::new(corners, colour.filled())])?;
            let at = (figure, place + high);
            chart.draw_series([Text::new(format!(" {figure:.0}"), at, ("sans-serif", 11))])?;
        }
    }
    Ok(())
}

/// The least and the greatest of some figures; 1 and 10 when there are none.
fn bounds(figures: impl Iterator<Item = f64>) -> (f64, f64) {
    figures
        .fold(None, |bounds: Option<(f64, f64)>, figure| {
            let (least, most) = bounds.unwrap_or((figure, figure));
            Some((least.min(figure), most.max(figure)))
        })
        .unwrap_or((1.0, 10.0))
}

/// A number as people write it: `1,000,000`.
fn thousands(number: &f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}
