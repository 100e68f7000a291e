//! Opens sessions: finds the protocol that a server speaks, and explains why none works.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use isobox_core::connector::{Error, ErrorKind};
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, serve_client_with_lifecycle_and_ct};
use rmcp::transport::Transport;
use rmcp::{ClientLifecycleMode, RoleClient};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::approach::Approach;
use super::complaint::{Ending, clean, error};
use super::concealing::Concealing;
use super::context::Context;
use super::http::{Dialect, HttpTransport};
use super::inbox::{Inbox, is_lost};
use super::last_words::LastWords;
use super::line_transport::{Complaint, LineTransport};
use super::link::Link;
use super::listener::Listener;
use super::process::{Manner, Process};
use super::questions::Questions;
use super::send_error::SendError;
use super::session::Session;
use super::target::{McpServer, McpTarget, McpTransport};

/// The reason why a session was not opened.
enum OpenError {
    /// The server refused, as a server does that speaks another protocol.
    Refused(Error),
    Failed(Error),
}

/// The maximum time that a remote server may take to answer the question for its protocol. Servers that do not know the
/// question may not answer it at all.
const DISCOVERY: Duration = Duration::from_secs(5);

/// Opens a session by the first approach that the server does not refuse.
pub(super) async fn open(context: &Arc<Context>) -> Result<Arc<Session>, Error> {
    context.back_off.wait().await;
    let mut reported = None;
    for approach in approaches(context) {
        match open_by(context, approach, context.stop.child_token()).await {
            Ok(session) => {
                context.remember(approach);
                return Ok(Arc::new(session));
            }
            // Most servers know the handshake, so its refusal explains most.
            Err(OpenError::Refused(error)) if reported.is_none() || approach == Approach::Handshake => {
                reported = Some(error);
            }
            Err(OpenError::Refused(_)) => {}
            // A failure after a refusal has the same cause more often than not.
            Err(OpenError::Failed(error)) => {
                reported = reported.or(Some(error));
                break;
            }
        }
    }
    context.back_off.failed();
    Err(reported.unwrap_or_else(|| error(ErrorKind::Internal, context, "could not be asked", None)))
}

/// Returns the approaches, the one that worked last first.
///
/// Most child processes use the older handshake, and some cannot handle the newer request. So that one is tried only
/// with a process that refuses the handshake, and the process is started anew for it. Requests to a remote server do
/// not affect each other, so the newest protocol is tried first.
fn approaches(context: &Context) -> Vec<Approach> {
    let mut approaches = match &context.target {
        McpTarget::Child(_) => vec![Approach::Handshake, Approach::Discovery],
        McpTarget::Remote(remote) => match remote.transport {
            McpTransport::Automatic => vec![Approach::Discovery, Approach::Handshake, Approach::OneStream],
            McpTransport::StreamableHttp => vec![Approach::Discovery, Approach::Handshake],
            McpTransport::Sse => vec![Approach::OneStream],
        },
    };
    let known = context.approach();
    approaches.sort_by_key(|approach| Some(*approach) != known);
    approaches
}

async fn open_by(context: &Arc<Context>, approach: Approach, stop: CancellationToken) -> Result<Session, OpenError> {
    let words = LastWords::default();
    let complaint = Complaint::default();
    let questions = Arc::new(Questions::default());
    let inbox = Inbox::new(context.options.max_message, words.clone(), Arc::clone(&questions));
    let logging = Arc::clone(context);
    let inbox = inbox
        .concealing(Arc::clone(&context.secrets))
        .logging(move |message| logging.logs.receive(message, &logging.name, &logging.secrets));
    let listener = Listener::new(context, questions);
    match &context.target {
        McpTarget::Child(server) => {
            let (process, pipes) = Process::spawn(server, words)
                .map_err(|cause| OpenError::Failed(not_started(context, server, cause)))?;
            let transport = LineTransport::new(pipes.stdout, pipes.stdin, inbox, complaint.clone());
            serve(context, approach, transport, listener, Link::to_child(process, complaint), stop).await
        }
        McpTarget::Remote(_) => {
            let patience = match approach {
                Approach::Discovery => context.options.start_timeout.min(DISCOVERY),
                Approach::Handshake | Approach::OneStream => context.options.start_timeout,
            };
            let wire = context.wire(patience).map_err(|problem| {
                OpenError::Failed(error(ErrorKind::Unavailable, context, &problem, None).hint("correct its entry"))
            })?;
            let transport = HttpTransport::new(dialect(approach), wire, inbox, complaint.clone());
            serve(context, approach, transport, listener, Link::to_remote(words, complaint), stop).await
        }
    }
}

async fn serve<T: Transport<RoleClient, Error = SendError> + 'static>(
    context: &Arc<Context>,
    approach: Approach,
    transport: T,
    listener: Listener,
    link: Link,
    stop: CancellationToken,
) -> Result<Session, OpenError> {
    let problem = tokio::select! {
        opened = serve_client_with_lifecycle_and_ct(listener, transport, lifecycle(approach), stop.clone()) => match opened {
            Ok(running) => return Ok(Session::watch(Arc::clone(context), running, link, stop)),
            Err(error) => Problem::of(error, &context.secrets),
        },
        () = link.exited() => Problem::Ended,
        () = sleep(context.options.start_timeout) => Problem::TimedOut,
    };
    let ending = link.end(problem.manner(), context).await;
    Err(problem.report(context, approach, &ending))
}

fn lifecycle(approach: Approach) -> ClientLifecycleMode {
    match approach {
        Approach::Handshake | Approach::OneStream => ClientLifecycleMode::Initialize,
        Approach::Discovery => {
            ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
        }
    }
}

fn dialect(approach: Approach) -> Dialect {
    match approach {
        Approach::Handshake => Dialect::Sessions,
        Approach::Discovery => Dialect::Stateless,
        Approach::OneStream => Dialect::OneStream,
    }
}

/// The problem that ended an attempt.
enum Problem {
    TimedOut,
    /// The process ended, or the connection was closed.
    Ended,
    /// The server answered with an error.
    Refused(String),
    /// The server answered with something that is no message, or with a message that cannot be read.
    Unusable(String),
    /// The server answered with something unexpected.
    Strange(String),
    /// A message did not reach the server.
    NotSent(SendError),
    /// The start was cancelled.
    Stopped,
}

const LOOK: &str = "run the command in a terminal to see the problem";
const ADDRESS: &str = "check the `url`, and that the server runs";

impl Problem {
    fn of(error: ClientInitializeError, secrets: &Concealing) -> Self {
        match error {
            ClientInitializeError::ConnectionClosed(_) => Self::Ended,
            ClientInitializeError::TransportError { error, .. } => match error.error.downcast::<SendError>() {
                Ok(error) => match *error {
                    SendError::Closed | SendError::Stuck => Self::Ended,
                    other => Self::NotSent(other),
                },
                Err(_) => Self::Ended,
            },
            ClientInitializeError::JsonRpcError(error) if is_lost(&error) => {
                Self::Unusable(clean(&secrets.conceal(&error.message)))
            }
            ClientInitializeError::JsonRpcError(error) => Self::Refused(clean(&secrets.conceal(&error.message))),
            ClientInitializeError::Cancelled => Self::Stopped,
            other => Self::Strange(clean(&secrets.conceal(&other.to_string()))),
        }
    }

    /// Returns the way to end the server. If it ends by itself, it gets time for that, so that its exit status is
    /// reported.
    fn manner(&self) -> Manner {
        match self {
            Self::Ended => Manner::Politely,
            Self::TimedOut
            | Self::Refused(_)
            | Self::Unusable(_)
            | Self::Strange(_)
            | Self::NotSent(_)
            | Self::Stopped => Manner::AtOnce,
        }
    }

    fn report(self, context: &Context, approach: Approach, ending: &Ending) -> OpenError {
        let look = match context.target {
            McpTarget::Child(_) => LOOK,
            McpTarget::Remote(_) => ADDRESS,
        };
        let say = |kind, what: &str| error(kind, context, what, Some(ending)).hint(look);
        let is_question = matches!(context.target, McpTarget::Remote(_)) && approach == Approach::Discovery;
        let reported = match self {
            Self::TimedOut => {
                say(ErrorKind::TimedOut, &format!("was not ready within {:?}", context.options.start_timeout))
                    .hint(format!("{look}; if it needs longer, raise its time-out"))
            }
            Self::Ended => say(ErrorKind::Unavailable, &format!("{} before it was ready", ending.describe())),
            Self::Refused(message) => {
                return OpenError::Refused(say(ErrorKind::Refused, &format!("refused the connection: {message}")));
            }
            Self::Unusable(problem) => {
                let problem = problem.strip_prefix("the server ").unwrap_or(&problem);
                return OpenError::Refused(say(ErrorKind::Protocol, &format!("does not speak MCP: it {problem}")));
            }
            // A server that does not know the question may answer anything.
            Self::Strange(what) if is_question => {
                return OpenError::Refused(say(
                    ErrorKind::Protocol,
                    &format!("does not speak MCP as expected: {what}"),
                ));
            }
            Self::Strange(what) => say(ErrorKind::Protocol, &format!("does not speak MCP as expected: {what}")),
            Self::Stopped => say(ErrorKind::Closed, "was stopped before it was ready"),
            Self::NotSent(SendError::LoginNeeded(needed)) => {
                say(ErrorKind::Refused, &needed.problem()).hint(needed.advice()).caused_by(needed)
            }
            Self::NotSent(problem) => {
                let told = clean(&context.secrets.conceal(&problem.to_string()));
                let reported =
                    say(ErrorKind::Unavailable, &format!("cannot be used: {told}")).caused_by(problem.clone());
                let is_late = matches!(&problem, SendError::Http { was_sent: true, .. });
                if problem.is_refusal() || (is_question && (is_late || problem.is_refusal_of_discovery())) {
                    return OpenError::Refused(reported);
                }
                reported
            }
        };
        OpenError::Failed(reported)
    }
}

fn not_started(context: &Context, server: &McpServer, cause: io::Error) -> Error {
    let (what, hint) = match (&server.cwd, cause.kind()) {
        (Some(folder), _) if !folder.is_dir() => {
            (format!("there is no folder `{}`", clean(&folder.display().to_string())), "correct its `cwd`")
        }
        (_, io::ErrorKind::NotFound) => {
            ("the command was not found".to_owned(), "install it, or use the full path of the program as `command`")
        }
        (_, io::ErrorKind::PermissionDenied) => {
            (cause.to_string(), "`command` must be a program that this user may run")
        }
        _ => (cause.to_string(), LOOK),
    };
    let what = format!("could not be started: {what}");
    error(ErrorKind::Unavailable, context, &what, None).hint(hint).caused_by(cause)
}
