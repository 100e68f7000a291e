//! The report as one HTML page: no scripts, nothing from elsewhere, and every text escaped.

use isobox::transcript::Transcript;

use super::facts::{CallFacts, Ended, Facts, scale};
use crate::executions::axis::Axis;
use crate::executions::bars::Shape;

/// The browser runs nothing and loads neither images nor frames, even if a text were not escaped.
const POLICY: &str = "script-src 'none'; object-src 'none'; img-src 'none'; media-src 'none'; font-src 'none'; \
    connect-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'";

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin-bottom:.2rem}\
pre{background:#f5f5f5;padding:.6rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:#666}dd{margin:0;overflow-wrap:anywhere}\
.error{color:#a00}.note{background:#fff3cd;padding:.4rem .6rem}svg{width:100%;height:auto}\
text{font:12px system-ui,sans-serif;fill:#222}.axis{fill:#666}.pause{fill:#eee}.issued{fill:#bbb}.waiting{fill:#f0b429}\
.running{fill:#2b6cb0}.failed{fill:#c53030}";

/// Writes the report.
pub(crate) fn html(transcript: &Transcript) -> String {
    let facts = Facts::of(transcript);
    let title = escape(&facts.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    if facts.is_redacted {
        page.push_str("<p class=\"note\">Values that the policy redacts are hidden, and so are the literals of the program.</p>\n");
    }
    page.push_str("<dl>");
    for (label, value) in &facts.summary {
        page.push_str(&format!("<dt>{label}</dt><dd>{}</dd>", escape(value)));
    }
    page.push_str("</dl>\n<h2>Outcome</h2>\n");
    page.push_str(&match &facts.outcome {
        Ended::Completed(result) => pre(result),
        Ended::Failed(failure) => format!("<pre class=\"error\">{}</pre>\n", escape(failure)),
        Ended::NotYet(sentence) => format!("<p>{sentence}</p>\n"),
    });
    if !facts.calls.is_empty() {
        page.push_str(&format!("<h2>Timeline</h2>\n{}\n", timeline(&facts)));
    }
    page.push_str("<h2>Program</h2>\n");
    for (name, text) in &facts.files {
        page.push_str(&format!("<p>{}</p>\n{}", escape(name), pre(text)));
    }
    if !facts.calls.is_empty() {
        page.push_str("<h2>Calls</h2>\n");
        facts.calls.iter().for_each(|one| page.push_str(&call(one)));
    }
    if facts.more_calls > 0 {
        page.push_str(&format!("<p>… {} more calls</p>\n", facts.more_calls));
    }
    if !facts.events.is_empty() {
        page.push_str("<h2>Decisions and pauses</h2>\n<dl>");
        for (at, what) in &facts.events {
            page.push_str(&format!("<dt>{}</dt><dd>{}</dd>", escape(at), escape(what)));
        }
        page.push_str("</dl>\n");
    }
    if !facts.found.is_empty() {
        page.push_str(&format!("<h2>Facts</h2>\n{}", pre(&facts.found.join("\n"))));
    }
    if !facts.logs.is_empty() {
        page.push_str(&format!("<h2>Log</h2>\n{}", pre(&facts.logs.join("\n"))));
    }
    page.push_str("</body></html>");
    page
}

fn call(call: &CallFacts) -> String {
    let CallFacts { seq, path, state, cost, place, input, output, error } = call;
    let cost = if cost.is_empty() { String::new() } else { format!(", {}", escape(cost)) };
    let place = place.as_ref().map(|place| format!(", at {}", escape(place))).unwrap_or_default();
    let mut text = format!(
        "<h3>Call {seq}: {}</h3>\n<p>{}{cost}{place}</p>\n<p>Input:</p>{}",
        escape(path),
        escape(state),
        pre(input)
    );
    if let Some(output) = output {
        text.push_str(&format!("<p>Result:</p>{}", pre(output)));
    }
    if let Some(error) = error {
        text.push_str(&format!("<p>Error:</p><pre class=\"error\">{}</pre>\n", escape(error)));
    }
    text
}

/// Draws one bar for each span of a call, and shades pauses.
fn timeline(facts: &Facts) -> String {
    const LABEL: usize = 230;
    const CHART: usize = 700;
    const ROW: usize = 22;
    let bars = &facts.bars;
    let axis = Axis::new(bars.begin, bars.end, &bars.pauses, CHART);
    let height = ROW * (facts.calls.len() + 1) + 4;
    let mut svg =
        format!("<svg viewBox=\"0 0 {} {height}\" role=\"img\" aria-label=\"Timeline of the calls\">", LABEL + CHART);
    for (from, to) in &bars.pauses {
        let (first, last) = axis.columns(*from, *to);
        svg.push_str(&format!(
            "<rect class=\"pause\" x=\"{}\" y=\"0\" width=\"{}\" height=\"{height}\"><title>paused</title></rect>",
            LABEL + first,
            last - first + 1
        ));
    }
    let (begin, end) = scale(bars);
    svg.push_str(&format!("<text class=\"axis\" x=\"{LABEL}\" y=\"15\">{begin}</text>"));
    let edge = LABEL + CHART;
    svg.push_str(&format!("<text class=\"axis\" x=\"{edge}\" y=\"15\" text-anchor=\"end\">{end}</text>"));
    for (row, call) in facts.calls.iter().enumerate() {
        let top = ROW * (row + 1);
        let label = isobox::text::brief(&call.path, 28);
        svg.push_str(&format!("<text x=\"0\" y=\"{}\">{} {}</text>", top + 15, call.seq, escape(&label)));
        for (shape, from, to) in bars.of_call(call.seq) {
            let (class, title) = match shape {
                Shape::Issued => ("issued", "not started"),
                Shape::Waiting => ("waiting", "waiting for a decision"),
                Shape::Running => ("running", "running"),
                Shape::Failed => ("failed", "failed"),
            };
            let (first, last) = axis.columns(from, to.unwrap_or(bars.end));
            let width = (last - first + 1).max(2);
            svg.push_str(&format!(
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"14\"><title>{title}</title></rect>",
                LABEL + first,
                top + 4
            ));
        }
    }
    svg.push_str("</svg>");
    svg
}

fn pre(text: &str) -> String {
    format!("<pre>{}</pre>\n", escape(text))
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_place() {
        assert_eq!(escape("</pre><script>'\"&"), "&lt;/pre&gt;&lt;script&gt;&#39;&quot;&amp;");
    }
}
