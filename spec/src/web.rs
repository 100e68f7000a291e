//! The web of conformance cases: a transport for their `fetch`.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use isobox::connector::{
    Connector, ConnectorSettings, WebBounds, WebConnector, WebOptions, WebRequest, WebResponse, WebTransport,
};
use isobox::tools::Catalogue;
use isobox::{BoxFuture, Tool};

use crate::tools::dies_here;

static REQUESTS: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

/// Answers a request with the number of requests of its address so far. A request below `/crash/` ends the process if the case
/// says so.
#[derive(Debug, Clone, Copy, Default)]
pub struct CaseWeb;

impl WebTransport for CaseWeb {
    fn send(
        &self,
        request: WebRequest,
        _: WebBounds,
    ) -> BoxFuture<'_, Result<WebResponse, Box<dyn Error + Send + Sync>>> {
        let number = {
            let mut requests = REQUESTS.lock().unwrap_or_else(PoisonError::into_inner);
            let number = requests.entry(request.uri().to_string()).or_insert(0);
            *number += 1;
            *number
        };
        Box::pin(async move {
            if request.uri().path().starts_with("/crash/") && dies_here() {
                return std::future::pending().await;
            }
            Ok(WebResponse::new(number.to_string().into()))
        })
    }
}

/// Returns the tools behind the `fetch` of a case.
pub(crate) fn web_tools(options: WebOptions) -> Result<Vec<Tool>, String> {
    let connector: Arc<dyn Connector> = Arc::new(WebConnector::new(options).transport(Arc::new(CaseWeb)));
    let offer = connector.offer().now_or_never().ok_or("the offer takes time")?.map_err(|error| error.to_string())?;
    let mut builder = Catalogue::builder();
    builder.connector(&connector, offer, &ConnectorSettings::default().is_trusted(true));
    Ok(builder.build().iter().cloned().collect())
}
