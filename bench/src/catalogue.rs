//! Catalogues of 2,500 and of 20,000 tools: the time to build, declare, search and describe them, and their cost for a model.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::policy::Policy;
use isobox::text::CHARACTERS_PER_TOKEN;
use isobox::tools::{BriefingOptions, Catalogue};
use isobox::{ToolCall, ToolError, Value, connector, json};
use isobox_spec::search::Judged;

use crate::Effort;
use crate::measure::{round, times};
use crate::search::{TOOLS, enlarged};

/// What is promised for a number of tools. Times are in milliseconds.
struct Promise {
    tools: usize,
    build: u32,
    declarations: u32,
    search: u32,
    briefing: u32,
}

const USUAL: Promise = Promise { tools: TOOLS, build: 250, declarations: 250, search: 2, briefing: 10 };
const MOST: Promise = Promise { tools: 20_000, build: 2_000, declarations: 2_000, search: 5, briefing: 50 };
const TOKENS: usize = 1000;

pub(crate) fn catalogue(effort: Effort) -> Value {
    measured(effort, &USUAL)
}

/// The largest catalogue of one server.
pub(crate) fn catalogue20000(effort: Effort) -> Value {
    measured(effort, &MOST)
}

fn measured(effort: Effort, promise: &Promise) -> Value {
    let runs = match effort {
        Effort::Full => 15,
        Effort::Quick => 1,
    };
    let offers = offers(promise.tools);
    let (catalogue, policy) = (built(&offers), Policy::default());
    // The first search builds the index.
    let build = times(runs, || drop(black_box(built(&offers).search("mail", 1, &policy, &[])))).median();
    let declared = times(runs, || drop(black_box(catalogue.declarations(&policy, &[])))).median();
    let search =
        times(runs * 20, || drop(black_box(catalogue.search("list the open invoices", 10, &policy, &[])))).median();
    let brief = || catalogue.briefing(&BriefingOptions::default(), &policy, &[]);
    let described = times(runs, || drop(black_box(brief()))).median();
    let tokens = brief().len().div_ceil(CHARACTERS_PER_TOKEN);
    let milliseconds = |duration: Duration| round(duration.as_secs_f64() * 1e3);
    json!({
        "tools": catalogue.len(),
        "buildMs": milliseconds(build),
        "declarationsMs": milliseconds(declared),
        "declarationsKb": catalogue.declarations(&policy, &[]).len() / 1024,
        "searchMs": milliseconds(search),
        "briefingMs": milliseconds(described),
        "briefingTokens": tokens,
        "wanted": {
            "buildMs": promise.build, "declarationsMs": promise.declarations, "searchMs": promise.search,
            "briefingMs": promise.briefing, "briefingTokens": TOKENS,
        },
        "met": within(build, promise.build)
            && within(declared, promise.declarations)
            && within(search, promise.search)
            && within(described, promise.briefing)
            && tokens <= TOKENS,
    })
}

fn within(measured: Duration, milliseconds: u32) -> bool {
    measured < Duration::from_millis(milliseconds.into())
}

fn built(offers: &[(Arc<dyn Connector>, Offer)]) -> Catalogue {
    let mut builder = Catalogue::builder();
    for (connector, offer) in offers {
        builder.connector(connector, offer.clone(), &ConnectorSettings::default());
    }
    builder.build()
}

/// Returns this many tools of the judged set, with one connector per interface. Their parameters are generated from their
/// names.
fn offers(count: usize) -> Vec<(Arc<dyn Connector>, Offer)> {
    let mut offers: Vec<(Arc<dyn Connector>, Offer)> = Vec::new();
    for tool in enlarged(&Judged::load().tools, count) {
        let (namespace, name) = tool.path.rsplit_once('.').unwrap_or(("tools", &tool.path));
        let properties: serde_json::Map<String, Value> = tool
            .parameters
            .iter()
            .map(|parameter| {
                (parameter.clone(), json!({ "type": "string", "description": format!("The {parameter}.") }))
            })
            .collect();
        let schema = json!({ "type": "object", "properties": properties, "required": tool.parameters.first().into_iter().collect::<Vec<_>>() });
        let offered = OfferedTool::new(name.to_owned()).description(tool.description.clone()).input_schema(schema);
        match offers.iter_mut().find(|(connector, _)| connector.name() == namespace) {
            Some((_, offer)) => offer.tools.push(offered),
            None => {
                let offer = Offer::default().tools(vec![offered]);
                offers.push((Arc::new(OfferOnly(namespace.to_owned())), offer));
            }
        }
    }
    offers
}

struct OfferOnly(String);

impl Connector for OfferOnly {
    fn name(&self) -> &str {
        &self.0
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        Box::pin(async { Ok(Offer::default()) })
    }

    fn call<'a>(&'a self, _tool: &'a str, _call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async { Err(ToolError::new("the tool is not implemented")) })
    }
}
