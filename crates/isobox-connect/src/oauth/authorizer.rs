//! Provides the tokens for the requests to one server, and begins a login when there are none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::Uri;
use isobox_core::brief;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::challenge::Challenge;
use super::flow::{Flow, Login, identifier};
use super::metadata::{Endpoints, is_same_issuer};
use super::{ClientGrant, LoginNeeded, OAuthClient, TokenStore};
use crate::http::HttpClient;

/// The logins to one server.
pub(crate) struct Authorizer {
    server: String,
    resource: Uri,
    client: OAuthClient,
    store: Arc<dyn TokenStore>,
    http: HttpClient,
    /// The authorization server of a service. None finds the one of an MCP server by its metadata.
    stated: Option<Endpoints>,
    /// The login in use. Locked while it is refreshed, so that this happens once for all callers.
    current: tokio::sync::Mutex<Option<Login>>,
    /// The login that waits for a person.
    waiting: Mutex<Option<Waiting>>,
    /// Locked while a login begins, so that concurrent calls begin one.
    beginning: tokio::sync::Mutex<()>,
}

/// A login that waits for a person.
struct Waiting {
    url: String,
    /// The scopes that it asks for.
    scopes: Vec<String>,
    /// Waits for the browser to come back.
    task: JoinHandle<()>,
    /// The result, once there is one.
    result: watch::Receiver<Option<Result<(), String>>>,
}

/// The maximum time that a login waits for a person.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

impl Authorizer {
    pub(crate) fn new(
        server: &str,
        resource: Uri,
        client: OAuthClient,
        store: Arc<dyn TokenStore>,
        http: HttpClient,
    ) -> Self {
        Self {
            server: server.to_owned(),
            resource,
            client,
            store,
            http,
            stated: None,
            current: tokio::sync::Mutex::default(),
            waiting: Mutex::default(),
            beginning: tokio::sync::Mutex::default(),
        }
    }

    /// States the authorization server of a service.
    #[cfg(any(feature = "graphql", feature = "openapi"))]
    pub(crate) fn stated(self, endpoints: Endpoints) -> Self {
        Self { stated: Some(endpoints), ..self }
    }

    /// Tells whether tokens are granted without a person.
    pub(crate) fn needs_no_person(&self) -> bool {
        self.client.grant == ClientGrant::ClientCredentials
    }

    /// Returns the token of the login, if there is one. Refreshes it if it has expired.
    pub(crate) async fn token(&self) -> Result<Option<String>, LoginNeeded> {
        let mut current = self.current.lock().await;
        if self.needs_no_person() {
            // The server refuses a request without a token, and says where to get one.
            *current = current.take().filter(Login::is_fresh);
            return Ok(current.as_ref().map(|login| login.access_token.clone()));
        }
        if !current.as_ref().is_some_and(Login::is_fresh) {
            // Another process may have logged in or refreshed the login.
            *current = self.load()?.or(current.take());
        }
        let Some(login) = current.as_mut() else { return Ok(None) };
        if !login.is_fresh() && login.refresh_token.is_some() {
            match login.refresh(&self.http).await {
                Ok(()) => self.save(login)?,
                // The server decides whether the old token is still accepted.
                Err(error) if error.is_final => login.refresh_token = None,
                Err(error) => return Err(self.needed(None, error.to_string())),
            }
        }
        Ok(Some(login.access_token.clone()))
    }

    /// Returns another token after one was refused, or begins a login.
    pub(crate) async fn renew(&self, challenge: Challenge, refused: Option<&str>) -> Result<String, LoginNeeded> {
        if self.needs_no_person() {
            return self.obtain(&challenge, refused).await;
        }
        {
            let mut current = self.current.lock().await;
            // Another call or process may have renewed it meanwhile.
            *current = self.load()?.or(current.take());
            if let Some(login) = current.as_mut() {
                if Some(login.access_token.as_str()) != refused {
                    return Ok(login.access_token.clone());
                }
                if login.refresh_token.is_some() {
                    match login.refresh(&self.http).await {
                        Ok(()) => {
                            self.save(login)?;
                            return Ok(login.access_token.clone());
                        }
                        Err(error) if error.is_final => login.refresh_token = None,
                        Err(error) => return Err(self.needed(None, error.to_string())),
                    }
                }
            }
        }
        Err(self.begin(challenge).await)
    }

    /// Gets a token for the client itself, once for all callers.
    async fn obtain(&self, challenge: &Challenge, refused: Option<&str>) -> Result<String, LoginNeeded> {
        let mut current = self.current.lock().await;
        if let Some(login) = current.as_ref().filter(|login| Some(login.access_token.as_str()) != refused) {
            return Ok(login.access_token.clone());
        }
        let granted = current.take().map(|login| login.scopes).unwrap_or_default();
        let login = Login::of_client(&self.http, &self.resource, &self.client, challenge, &granted).await;
        let login = login.map_err(|problem| self.needed(None, problem))?;
        Ok(current.insert(login).access_token.clone())
    }

    /// Begins a login, or returns the one that already waits if it asks for enough scopes. Its result is kept when the person has logged in, as long
    /// as this process runs.
    pub(crate) async fn begin(&self, challenge: Challenge) -> LoginNeeded {
        let _one_at_a_time = self.beginning.lock().await;
        let why = match challenge.is_about_scope() {
            true => {
                format!("it asks for more rights ({})", brief(challenge.scope.as_deref().unwrap_or("unnamed"), 200))
            }
            false => "it does not know who is asking".to_owned(),
        };
        if self.needs_no_person() {
            return self.needed(None, format!("{why}, although a token was granted"));
        }
        if let Some(url) = self.still_waiting(&challenge) {
            return self.needed(Some(url), why);
        }
        let mut granted = self.current.lock().await.as_ref().map(|login| login.scopes.clone()).unwrap_or_default();
        granted.extend(self.abandon().await);
        let server = (&self.resource, self.stated.as_ref());
        let flow = match Flow::begin(&self.http, server, &self.client, &challenge, &granted).await {
            Ok(flow) => flow,
            Err(problem) => return self.needed(None, format!("{why}, and a login cannot begin: {problem}")),
        };
        let (url, scopes) = (flow.url.clone(), flow.scopes.clone());
        let (done, result) = watch::channel(None);
        let (store, key) = (Arc::clone(&self.store), self.key());
        let task = tokio::spawn(async move {
            let finished = match timeout(PATIENCE, flow.finish()).await {
                Ok(Ok(login)) => keep(&*store, &key, &login),
                Ok(Err(problem)) => Err(problem),
                Err(_elapsed) => Err(format!("the login was not completed within {} minutes", PATIENCE.as_secs() / 60)),
            };
            done.send_replace(Some(finished));
        });
        let waiting = Waiting { url: url.clone(), scopes, task, result };
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(waiting);
        self.needed(Some(url), why)
    }

    /// Waits until the login that has begun is completed.
    pub(crate) async fn completed(&self) -> Result<(), String> {
        let waiting =
            self.waiting.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|one| one.result.clone());
        let Some(mut result) = waiting else { return Err("no login has begun".to_owned()) };
        let finished = result.wait_for(Option::is_some).await.ok().and_then(|result| result.clone());
        finished.unwrap_or_else(|| Err("the login was abandoned".to_owned()))
    }

    /// Forgets the login. Returns whether there was one.
    pub(crate) async fn forget(&self) -> Result<bool, String> {
        let mut current = self.current.lock().await;
        *current = None;
        self.store.remove(&self.key()).map_err(|error| format!("the login cannot be removed: {error}"))
    }

    /// Returns the address of the login that waits, if a call that was refused can be made after it.
    fn still_waiting(&self, challenge: &Challenge) -> Option<String> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = waiting.as_ref().filter(|waiting| !waiting.is_over())?;
        let mut needed = challenge.scope.iter().flat_map(|scope| scope.split_whitespace());
        let is_enough =
            !challenge.is_about_scope() || needed.all(|scope| waiting.scopes.iter().any(|asked| asked == scope));
        is_enough.then(|| waiting.url.clone())
    }

    /// Ends the login that waits, so that its port is free. Returns the scopes that it asked for.
    async fn abandon(&self) -> Vec<String> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(waiting) = waiting.filter(|waiting| !waiting.is_over()) else { return Vec::new() };
        waiting.task.abort();
        // It ends by being cancelled, or has just ended by itself.
        let _ = waiting.task.await;
        waiting.scopes
    }

    fn load(&self) -> Result<Option<Login>, LoginNeeded> {
        let kept = self.store.load(&self.key());
        let kept = kept.map_err(|error| self.needed(None, format!("the kept login cannot be read: {error}")))?;
        // A login that cannot be read, or is for another server, counts as none.
        let login: Option<Login> = kept.and_then(|text| serde_json::from_str(&text).ok());
        // Neither does one of another client or authorization server.
        let is_own = |login: &Login| {
            let OAuthClient { client_id, issuer, .. } = &self.client;
            client_id.as_ref().is_none_or(|id| *id == login.client_id)
                && issuer.as_ref().is_none_or(|issuer| is_same_issuer(issuer, &login.issuer))
        };
        Ok(login.filter(|login| login.resource == identifier(&self.resource) && is_own(login)))
    }

    fn save(&self, login: &Login) -> Result<(), LoginNeeded> {
        keep(&*self.store, &self.key(), login).map_err(|problem| self.needed(None, problem))
    }

    fn key(&self) -> String {
        match (&self.stated, &self.client.client_id) {
            // Several clients may use the same service.
            (Some(_), Some(client)) => format!("{} {client}", identifier(&self.resource)),
            (Some(_), None) | (None, _) => identifier(&self.resource),
        }
    }

    fn needed(&self, url: Option<String>, why: String) -> LoginNeeded {
        let kind = if self.stated.is_some() { "service" } else { "MCP server" };
        LoginNeeded { kind, grant: self.client.grant, server: self.server.clone(), url, why }
    }
}

impl Waiting {
    fn is_over(&self) -> bool {
        self.result.borrow().is_some() || self.result.has_changed().is_err()
    }
}

fn keep(store: &dyn TokenStore, key: &str, login: &Login) -> Result<(), String> {
    let text = serde_json::to_string(login).map_err(|error| error.to_string())?;
    store.save(key, &text).map_err(|error| format!("the login cannot be kept: {error}"))
}
