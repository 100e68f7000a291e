//! A database on a PostgreSQL server.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error as _;
use std::io::Read;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use isobox_core::ExecutionId;
use isobox_core::store::Error;
use percent_encoding::percent_decode_str;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Socket, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::database::{Access, Database, DatabaseError, ErrorKind, Row, Value};
use crate::deadline::Deadline;
use crate::owned;
use crate::schema::Dialect;

pub(crate) const DIALECT: Dialect = Dialect {
    migrations: &[
        include_str!("migrations/postgres/1.sql"),
        include_str!("migrations/postgres/2.sql"),
        include_str!("migrations/postgres/3.sql"),
        include_str!("migrations/postgres/4.sql"),
    ],
    // An arbitrary number that no other application is likely to use.
    lock: "SELECT pg_advisory_xact_lock(7614021390)",
    is_set_up: "SELECT CAST(1 AS BIGINT) WHERE to_regclass('isobox_settings') IS NOT NULL",
};

const NOW: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

/// The channel that is notified of changes. Its name contains the oid of a table, which differs for every store of the
/// database.
pub(crate) const CHANNEL: &str = "'isobox_' || CAST(CAST(to_regclass('isobox_executions') AS oid) AS text)";

/// The time limit of a transaction: connecting, locks, and every answer of the server.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The maximum time that closing an unneeded connection properly may take.
pub(crate) const GOODBYE: Duration = Duration::from_millis(200);

/// The maximum size of a certificate file.
const MAX_CERTIFICATES: u64 = 16 << 20;

/// The settings of every connection: no operation waits for ever, and acknowledged data is on disk. The server cancels
/// statements whose client no longer waits.
pub(crate) const SETTINGS: &str = "SET statement_timeout = '10s'; SET lock_timeout = '5s'; \
     SET idle_in_transaction_session_timeout = '60s'; \
     SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// The connection task, which moves bytes between a client and the server.
pub(crate) type Connection = tokio_postgres::Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// The address and the settings of a server.
pub(crate) struct Server {
    config: Config,
    tls: MakeRustlsConnect,
    /// The address for messages, without user and password.
    pub(crate) place: String,
}

impl Server {
    pub(crate) fn parse(url: &str) -> Result<Self, Error> {
        let url = Url::parse(url)?;
        // The error of the parser may quote a part of a password that was not escaped.
        let mut config: Config = url.plain.parse().map_err(|_| unreadable())?;
        if !url.says_mode && !is_local(&config) {
            config.ssl_mode(SslMode::Require);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(5));
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(Duration::from_secs(30));
        }
        if config.get_application_name().is_none() {
            // So that an operator finds the connections in `pg_stat_activity`.
            config.application_name("isobox");
        }
        let place = describe(&config);
        let tls = MakeRustlsConnect::new(tls(url.root_certificate.as_deref().map(Path::new), &place)?);
        Ok(Self { config, tls, place })
    }

    pub(crate) fn connect(&self, deadline: Deadline) -> Result<Postgres, DatabaseError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| DatabaseError::new(ErrorKind::Unavailable, error.to_string()))?;
        let (runtime, (client, connection)) = reach(runtime, deadline, self.dial())?;
        // An error of the connection also fails the next request.
        let driver = runtime.spawn(async { drop(connection.await) });
        wait(&runtime, deadline, client.batch_execute(SETTINGS))?;
        let server = Some(Link { client, driver });
        let (statements, told) = (HashMap::new(), Vec::new());
        Ok(Postgres { runtime, server, deadline, statements, told, is_broken: false })
    }

    /// Opens a connection.
    pub(crate) async fn dial(&self) -> Result<(Client, Connection), tokio_postgres::Error> {
        self.config.connect(self.tls.clone()).await
    }
}

/// Waits for a connection until the deadline at most.
fn reach<T>(
    runtime: Runtime,
    deadline: Deadline,
    dial: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<(Runtime, T), DatabaseError> {
    match wait(&runtime, deadline, dial) {
        Ok(reached) => Ok((runtime, reached)),
        Err(error) => {
            // Does not wait for a pending address lookup, which cannot be interrupted.
            runtime.shutdown_background();
            Err(error)
        }
    }
}

/// Waits for the server until the deadline at most.
fn wait<T>(
    runtime: &Runtime,
    deadline: Deadline,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, DatabaseError> {
    let answered = runtime.block_on(async { tokio::time::timeout(deadline.left(), answer).await });
    match answered {
        Ok(answer) => Ok(answer?),
        Err(_late) => Err(late()),
    }
}

pub(crate) fn late() -> DatabaseError {
    let message = format!("the server did not answer within {} s", PATIENCE.as_secs());
    DatabaseError::new(ErrorKind::Unavailable, message)
        .hint("it may be overloaded, frozen or cut off: look at the server and at the network, and try again")
}

/// A URL in libpq syntax, split into what the driver supports and the other parameters.
struct Url {
    plain: String,
    says_mode: bool,
    root_certificate: Option<String>,
}

impl Url {
    fn parse(url: &str) -> Result<Self, Error> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(unreadable());
        }
        let (address, parameters) = url.split_once('?').unwrap_or((url, ""));
        // The rest of the password would be parsed as the host, and shown.
        if address.matches('@').count() > 1 {
            return Err(unreadable());
        }
        let mut kept = Vec::new();
        let (mut says_mode, mut root_certificate) = (false, None);
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslrootcert", path)) => {
                    let path = percent_decode_str(path).decode_utf8().map_err(|_| unreadable())?;
                    root_certificate = Some(path.into_owned());
                }
                Some(("sslmode", mode)) => {
                    says_mode = true;
                    // A certificate is always verified, and with it the name of the server.
                    let mode = if matches!(mode, "verify-ca" | "verify-full") { "require" } else { mode };
                    kept.push(format!("sslmode={mode}"));
                }
                _ => kept.push(parameter.to_owned()),
            }
        }
        let plain = if kept.is_empty() { address.to_owned() } else { format!("{address}?{}", kept.join("&")) };
        Ok(Self { plain, says_mode, root_certificate })
    }
}

fn unreadable() -> Error {
    Error::broken(
        "the address of the PostgreSQL server cannot be read",
        "it is not postgres://user:password@host:port/database",
    )
    .hint("signs like @ : / ? # % in a name or password are written as %40 %3A %2F %3F %23 %25")
}

fn is_local(config: &Config) -> bool {
    let is_local = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
    };
    config.get_hosts().iter().all(is_local) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

fn describe(config: &Config) -> String {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    });
    let hosts = hosts.collect::<Vec<_>>().join(",");
    let ports = config.get_ports().iter().map(u16::to_string).collect::<Vec<_>>().join(",");
    let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("the PostgreSQL database {database} at {hosts}:{ports}")
}

/// Builds the TLS configuration. Trusts the system's root certificates, or only the given ones.
fn tls(root_certificate: Option<&Path>, place: &str) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    match root_certificate {
        None => {
            // Without any, the certificate of the server is refused.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Some(path) => {
            let what = || format!("{place}: cannot use the root certificate {}", path.display());
            let mut text = Vec::new();
            let file = owned::open_to_read(path).map_err(|error| Error::broken(&what(), &error).caused_by(error))?;
            file.take(MAX_CERTIFICATES)
                .read_to_end(&mut text)
                .map_err(|error| Error::broken(&what(), &error).caused_by(error))?;
            for certificate in CertificateDer::pem_slice_iter(&text) {
                let certificate = certificate.map_err(|error| Error::broken(&what(), &error).caused_by(error))?;
                roots.add(certificate).map_err(|error| Error::broken(&what(), &error).caused_by(error))?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| Error::broken(place, &error).caused_by(error))?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

pub(crate) struct Postgres {
    runtime: Runtime,
    /// Present until the connection is dropped.
    server: Option<Link>,
    /// The deadline of the transaction.
    deadline: Deadline,
    statements: HashMap<&'static str, Statement>,
    /// The executions that this transaction notifies about.
    told: Vec<ExecutionId>,
    is_broken: bool,
}

struct Link {
    client: Client,
    /// Moves bytes between the client and the server.
    driver: JoinHandle<()>,
}

impl Postgres {
    fn ask<'a, T, Answer>(&'a mut self, question: impl FnOnce(&'a Client) -> Answer) -> Result<T, DatabaseError>
    where
        Answer: Future<Output = Result<T, tokio_postgres::Error>> + 'a,
    {
        let Some(Link { client, .. }) = &self.server else { return Err(late()) };
        let answer = wait(&self.runtime, self.deadline, question(client));
        // A late answer would be taken for the answer to the next request. After a failure that may pass, another connection may
        // lead to another server, if this one has become a standby.
        let may_pass = matches!(&answer, Err(error) if error.kind == ErrorKind::Unavailable);
        self.is_broken |= may_pass || self.deadline.has_passed();
        answer
    }

    fn prepared(&mut self, statement: &'static str) -> Result<Statement, DatabaseError> {
        if let Some(known) = self.statements.get(statement) {
            return Ok(known.clone());
        }
        let translated = translate(statement);
        let prepared = self.ask(|client| async move { client.prepare(&translated).await })?;
        self.statements.insert(statement, prepared.clone());
        Ok(prepared)
    }
}

impl Database for Postgres {
    fn begin(&mut self, access: Access, deadline: Deadline) -> Result<(), DatabaseError> {
        let statement = match access {
            Access::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Access::Note | Access::Write => "BEGIN ISOLATION LEVEL READ COMMITTED",
        };
        self.deadline = deadline;
        self.told.clear();
        self.ask(|client| client.batch_execute(statement))
    }

    fn commit(&mut self) -> Result<(), DatabaseError> {
        // In one round trip. The server sends notifications when it has committed.
        let script = format!("{}COMMIT", notifications(&self.told));
        self.ask(|client| async move { client.batch_execute(&script).await })
    }

    fn rollback(&mut self) {
        let rolled_back = self.ask(|client| client.batch_execute("ROLLBACK"));
        self.is_broken |= rolled_back.is_err();
    }

    fn execute(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<u64, DatabaseError> {
        let statement = self.prepared(statement)?;
        let parameters = parameters(values);
        self.ask(|client| async { client.execute(&statement, &parameters).await })
    }

    fn query(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>, DatabaseError> {
        let statement = self.prepared(statement)?;
        let parameters = parameters(values);
        let rows = self.ask(|client| async { client.query(&statement, &parameters).await })?;
        rows.iter().map(read).collect()
    }

    fn run(&mut self, script: &str) -> Result<(), DatabaseError> {
        self.ask(|client| async { client.batch_execute(script).await })
    }

    fn tell_after_commit(&mut self, id: &ExecutionId) {
        self.told.push(id.clone());
    }

    /// Does nothing: the vacuum of the server removes deleted rows.
    fn wipe_after_commit(&mut self) {}

    fn is_usable(&self) -> bool {
        !self.is_broken && self.server.as_ref().is_some_and(|server| !server.client.is_closed())
    }
}

impl Drop for Postgres {
    /// Closes the connection properly, because a broken connection adds a line to the server's log.
    fn drop(&mut self) {
        if let Some(Link { client, driver }) = self.server.take() {
            drop(client);
            // A connection that does not close in time ends with the runtime.
            drop(self.runtime.block_on(async { tokio::time::timeout(GOODBYE, driver).await }));
        }
    }
}

/// Returns a statement that notifies other processes of these executions, or an empty string if there are none.
fn notifications(told: &[ExecutionId]) -> String {
    if told.is_empty() {
        return String::new();
    }
    let literal = |id: &ExecutionId| format!("E'{}'", id.as_str().replace('\\', r"\\").replace('\'', "''"));
    let literals = told.iter().map(literal).collect::<Vec<_>>().join(", ");
    format!("SELECT pg_notify({CHANNEL}, told.id) FROM unnest(ARRAY[{literals}]) AS told (id); ")
}

fn translate(statement: &str) -> String {
    statement.replace("{now}", NOW).replace("{lock}", "FOR UPDATE").replace('?', "$")
}

fn parameters<'v>(values: &'v [Value<'_>]) -> Vec<&'v (dyn ToSql + Sync)> {
    let parameter = |value: &'v Value<'_>| -> &'v (dyn ToSql + Sync) {
        match value {
            Value::Integer(value) => value,
            Value::Text(text) => text,
            Value::Bytes(bytes) => bytes,
            Value::Nothing => &None::<i64>,
        }
    };
    values.iter().map(parameter).collect()
}

fn read(row: &tokio_postgres::Row) -> Result<Row, DatabaseError> {
    let read = |(at, column): (usize, &tokio_postgres::Column)| {
        Ok(match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map(Value::Integer),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at)?.map(|bytes| Value::Bytes(Cow::Owned(bytes))),
            _ => row.try_get::<_, Option<String>>(at)?.map(|text| Value::Text(Cow::Owned(text))),
        }
        .unwrap_or(Value::Nothing))
    };
    row.columns().iter().enumerate().map(read).collect::<Result<_, _>>().map(Row)
}

impl From<tokio_postgres::Error> for DatabaseError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(answer) = error.as_db_error() else {
            let mut message = error.to_string();
            let mut cause = error.source();
            while let Some(error) = cause {
                message = format!("{message}: {error}");
                cause = error.source();
            }
            return Self::new(ErrorKind::Unavailable, message)
                .hint("is the server running, and is its address right? `sslmode=disable` does without TLS");
        };
        let code = answer.code();
        if *code == SqlState::LOCK_NOT_AVAILABLE {
            return Self::new(ErrorKind::Collision, "another process keeps it locked")
                .hint("`SELECT * FROM pg_locks` on the server shows which; try again once it is done");
        }
        let failed = Self::new(kind_of(code.code()), format!("{} ({})", answer.message(), code.code()));
        if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
            return failed.hint(
                "is it a standby? with the addresses of all servers and `target_session_attrs=read-write` the one that can be \
                 written to is found",
            );
        }
        failed
    }
}

/// Returns the kind of an error that the server reports with this SQLSTATE.
fn kind_of(state: &str) -> ErrorKind {
    match state {
        // Serialization failure, deadlock, and a lock that another session holds.
        "40001" | "40P01" | "55P03" => ErrorKind::Collision,
        // The server can only be read, as after a failover; it has ended a transaction that waited for this process for too long;
        // it does not know whether a statement was carried out.
        "25006" | "25P03" | "25P04" | "40003" => ErrorKind::Unavailable,
        other => match other.get(..2) {
            // Connections, resources, operators and the machine.
            Some("08" | "53" | "57" | "58") => ErrorKind::Unavailable,
            // Permissions, and missing databases.
            Some("28" | "3D") => ErrorKind::Unusable,
            _ => ErrorKind::Statement,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn what_may_pass_by_itself_is_tried_again() {
        let may_pass = ["25006", "25P03", "25P04", "40003", "08006", "53300", "57P01", "58030"];
        assert_eq!(may_pass.map(kind_of), [ErrorKind::Unavailable; 8]);
        assert_eq!(["40001", "40P01", "55P03"].map(kind_of), [ErrorKind::Collision; 3]);
        assert_eq!(["28P01", "3D000"].map(kind_of), [ErrorKind::Unusable; 2]);
        assert_eq!(["25001", "25P02", "40002", "22021", "42P01", "XX000", ""].map(kind_of), [ErrorKind::Statement; 7]);
    }

    #[test]
    fn an_address_lookup_that_hangs_is_not_waited_for() {
        let (release, gate) = mpsc::channel::<()>();
        let lookup = async {
            let looked_up = tokio::task::spawn_blocking(move || gate.recv_timeout(Duration::from_secs(20)));
            drop(looked_up.await);
            std::future::pending().await
        };
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        assert!(reach::<()>(runtime, Deadline::after(Duration::from_millis(500)), lookup).is_err());
        release.send(()).expect("it still looks up");
    }
}
