//! Searches a catalogue, and describes its tools.

use super::{Catalogue, Described, DescribedKind, SearchHit, SearchResults};
use crate::policy::{Permission, Policy, Preview, Subject};
use crate::report::presentation::CHARACTERS_PER_TOKEN;
use crate::search::Explanation;
use crate::snippets::{RUN, described, name_of, run_signature};
use crate::text::{brief, excerpt};
use crate::tools::declarations::comment_line;
use crate::tools::declarations::{Note, Signature, declare_signature, declare_signature_within, declare_tools};
use crate::tools::experience::Learner;
use crate::{Code, Failure, Tool};

impl Catalogue {
    /// The maximum number of results of a search.
    pub const MAX_RESULTS: usize = 50;
    /// The default number of results of a search.
    pub const DEFAULT_RESULTS: usize = 10;

    /// Returns the tools that fit a query best, among those that these roles may see.
    pub fn search(&self, query: &str, limit: usize, policy: &Policy, roles: &[String]) -> SearchResults {
        self.search_now(query, limit, policy, roles, None)
    }

    /// Searches with the types of results that the learner knows now, instead of those that the catalogue was built with.
    pub fn search_now(
        &self,
        query: &str,
        limit: usize,
        policy: &Policy,
        roles: &[String],
        learner: Option<&dyn Learner>,
    ) -> SearchResults {
        const MAX_DESCRIPTION: usize = 200;
        /// The maximum length of one signature, and of all together.
        const MAX_SIGNATURE: usize = 1_000;
        const MAX_SIGNATURES: usize = 5_000;
        let mut left = MAX_SIGNATURES;
        let limit = limit.clamp(1, Self::MAX_RESULTS);
        let found = self.index().search(query, self.len().max(1));
        let tools: Vec<&Tool> = self.iter().collect();
        let mut results = Vec::new();
        let mut total = 0;
        for hit in found.hits {
            let Some(tool) = tools.get(hit.entry) else { continue };
            let snippet = name_of(tool);
            let subject = if snippet.is_some() { Subject::unknown(RUN) } else { tool.subject() };
            let preview = policy.preview(subject, roles);
            if !preview.is_visible() {
                continue;
            }
            total += 1;
            if results.len() < limit {
                let room = MAX_SIGNATURE.min(left);
                let within = || declare_signature_within(&signature(&refreshed(tool, learner), &[]), room);
                let signature = (room > 0).then(within).flatten();
                let signature = match snippet {
                    Some(name) => signature.map(|signature| run_signature(name, &signature)),
                    None => signature,
                };
                let signature = signature.filter(|signature| signature.len() <= room);
                left -= signature.as_ref().map_or(0, String::len);
                results.push(SearchHit {
                    path: snippet.unwrap_or(tool.path().as_str()).to_owned(),
                    description: excerpt(first_paragraph(tool.description_text()), MAX_DESCRIPTION),
                    kind: if snippet.is_some() { DescribedKind::Snippet } else { DescribedKind::Tool },
                    score: (hit.score * 1000.0).round() / 1000.0,
                    requires_approval: preview.permission == Permission::RequireApproval,
                    conditions: preview.in_words(),
                    signature,
                });
            }
        }
        let truncated = total > results.len();
        SearchResults { results, total, truncated, problem: self.down_in_words(policy, roles) }
    }

    /// Describes a snippet, if this catalogue [shows](crate::snippets::Shelf::shown) one with the name.
    pub fn describe_snippet(&self, name: &str) -> Option<Described> {
        described(name, self)
    }

    /// Explains the rank of a tool or a snippet among the results of a search. Returns `None` if these roles do not see the tool.
    pub fn explain(&self, query: &str, path: &str, policy: &Policy, roles: &[String]) -> Option<Explanation> {
        let is_it = |tool: &Tool| tool.path().as_str() == path || name_of(tool) == Some(path);
        let place = self.iter().position(is_it)?;
        let is_visible = self.iter().nth(place).is_some_and(|tool| self.is_visible(tool, policy, roles));
        is_visible.then(|| self.index().explain(query, place))
    }

    /// Returns the declarations of a tool or a namespace, in about this many tokens. Returns `NOT_FOUND` if these roles
    /// see neither.
    pub fn describe(&self, path: &str, tokens: usize, policy: &Policy, roles: &[String]) -> Result<Described, Failure> {
        self.describe_now(path, tokens, policy, roles, None)
    }

    /// Describes with the types of results that the learner knows now, instead of those that the catalogue was built
    /// with.
    ///
    /// # Errors
    ///
    /// As [`Catalogue::describe`].
    pub fn describe_now(
        &self,
        path: &str,
        tokens: usize,
        policy: &Policy,
        roles: &[String],
        learner: Option<&dyn Learner>,
    ) -> Result<Described, Failure> {
        let path = path.strip_prefix("tools.").unwrap_or(path);
        let below = format!("{path}.");
        let visible: Vec<(&Tool, Preview<'_>)> = self
            .iter()
            .filter(|tool| tool.path().as_str() == path || tool.path().as_str().starts_with(&below) || path.is_empty())
            .map(|tool| (tool, policy.preview(tool.subject(), roles)))
            .filter(|(_, preview)| preview.is_visible())
            .collect();
        let [(first, _), ..] = visible.as_slice() else { return Err(self.nothing_at(path, policy, roles)) };
        let is_tool = first.path().as_str() == path && visible.len() == 1;
        let description = if is_tool {
            first.description_text().to_owned()
        } else {
            let root = path.split('.').next().unwrap_or_default();
            let namespace = self.namespaces.get(root).cloned().unwrap_or_default();
            let parts = [namespace.hint, namespace.instructions];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
        };
        Ok(Described {
            path: path.to_owned(),
            kind: if is_tool { DescribedKind::Tool } else { DescribedKind::Namespace },
            description,
            types: {
                let fresh: Vec<Tool> = visible.iter().map(|(tool, _)| refreshed(tool, learner)).collect();
                let previews = visible.into_iter().map(|(_, preview)| preview);
                declarations_within(&fresh.iter().zip(previews).collect::<Vec<_>>(), tokens)
            },
        })
    }

    /// Returns the paths nearest to `path`, nearest first, among those that these roles may see.
    pub fn nearest(&self, path: &str, policy: &Policy, roles: &[String]) -> Vec<&str> {
        const SHOWN: usize = 3;
        const LIKE: f64 = 0.75;
        /// The maximum length for comparisons, which take time. A longer path is not a typing error.
        const MAX_LENGTH: usize = 100;
        if path.len() > MAX_LENGTH {
            return Vec::new();
        }
        let mut scored: Vec<(f64, &Tool)> = self
            .iter()
            .map(|tool| (strsim::jaro_winkler(path, tool.path().as_str()), tool))
            .filter(|(score, _)| *score >= LIKE)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path().cmp(b.1.path())));
        let visible = scored.into_iter().filter(|(_, tool)| self.is_visible(tool, policy, roles));
        visible.take(SHOWN).map(|(_, tool)| tool.path().as_str()).collect()
    }

    /// Returns the expression for a tool or a namespace that a program uses by its bare name: `tools.mail.send` for
    /// `send`, or `tools.mail` for `mail`.
    pub(crate) fn expression_for(&self, name: &str, policy: &Policy, roles: &[String]) -> Option<String> {
        let is_visible = |tool: &&Tool| self.is_visible(tool, policy, roles);
        let named = |tool: &&Tool| tool.path().as_str().rsplit('.').next() == Some(name);
        let below = |tool: &&Tool| tool.path().as_str().split('.').next() == Some(name);
        if self.iter().filter(below).any(|tool| is_visible(&tool)) {
            return Some(format!("tools.{name}"));
        }
        let found = self.iter().filter(named).find(is_visible)?;
        Some(format!("tools.{}(…)", found.path()))
    }

    /// Returns the signature of a tool on one line.
    pub(crate) fn signature_of(tool: &Tool) -> String {
        declare_signature(&signature(tool, &[])).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Tells whether a tool exists for these roles.
    pub fn is_visible(&self, tool: &Tool, policy: &Policy, roles: &[String]) -> bool {
        policy.preview(tool.subject(), roles).is_visible()
    }

    /// Returns the declarations of all tools that these roles may see.
    pub fn declarations(&self, policy: &Policy, roles: &[String]) -> String {
        declare(&self.visible(policy, roles))
    }

    pub(crate) fn visible<'a>(&'a self, policy: &'a Policy, roles: &[String]) -> Vec<(&'a Tool, Preview<'a>)> {
        let previewed = self.iter().map(|tool| (tool, policy.preview(tool.subject(), roles)));
        previewed.filter(|(_, preview)| preview.is_visible()).collect()
    }

    /// Returns `; did you mean …?` with the nearest paths, or nothing.
    pub(crate) fn suggestion(&self, path: &str, policy: &Policy, roles: &[String]) -> String {
        let names: Vec<String> = self.nearest(path, policy, roles).iter().map(|name| format!("`{name}`")).collect();
        if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) }
    }

    /// Returns the failure of a use of a path at which a server that has not started may have tools.
    pub(crate) fn down_at(&self, path: &str, code: Code, policy: &Policy, roles: &[String]) -> Option<Failure> {
        let below = format!("{path}.");
        let (what, asked, server) = match self.down_connector(path) {
            Some(server) => ("tool", path, server),
            None => ("namespace", below.as_str(), self.down_connector(&below)?),
        };
        if policy.preview(Subject::unknown(asked), roles).permission == Permission::Hide {
            return None;
        }
        let (path, server) = (brief(path, 80), brief(server, 80));
        let message = format!("{what} `{path}` is not available: its server `{server}` has not started");
        let hint = "do without it, or try again later: the operator was told why it has not started";
        Some(Failure::new(code, message).hint(hint))
    }

    fn nothing_at(&self, path: &str, policy: &Policy, roles: &[String]) -> Failure {
        if let Some(down) = self.down_at(path, Code::NotFound, policy, roles) {
            return down;
        }
        let advice = self.suggestion(path, policy, roles);
        Failure::new(Code::NotFound, format!("there is no tool or namespace `{}`{advice}", brief(path, 80)))
            .hint("search for it: codemode.search(\"what it should do\")")
    }
}

/// Returns the tool with what the learner knows now.
fn refreshed(tool: &Tool, learner: Option<&dyn Learner>) -> Tool {
    match learner {
        Some(learner) => tool.clone().with_observed(learner.observed(tool)),
        None => tool.clone(),
    }
}

fn declare(tools: &[(&Tool, Preview<'_>)]) -> String {
    let words: Vec<Vec<String>> = tools.iter().map(|(_, preview)| preview.in_words()).collect();
    let notes: Vec<Vec<Note<'_>>> =
        tools.iter().zip(&words).map(|((_, preview), words)| notes(preview, words)).collect();
    declare_tools(tools.iter().zip(&notes).map(|((tool, _), notes)| signature(tool, notes))).text
}

fn notes<'w>(preview: &Preview<'_>, words: &'w [String]) -> Vec<Note<'w>> {
    match preview.permission {
        Permission::RequireApproval if words.is_empty() => vec![Note::NeedsApproval],
        _ => words.iter().map(|sentence| Note::Text(sentence)).collect(),
    }
}

fn signature<'a>(tool: &'a Tool, notes: &'a [Note<'a>]) -> Signature<'a> {
    Signature {
        path: tool.path(),
        description: tool.description_text(),
        input: tool.input_schema_text(),
        output: tool.output_schema_text(),
        observed: tool.observed_schema(),
        types: tool.types_text(),
        notes,
    }
}

/// Returns all declarations if they fit into this many tokens.
pub(super) fn all_declarations_within(tools: &[(&Tool, Preview<'_>)], tokens: usize) -> Option<String> {
    /// The minimum length of a declaration.
    const SHORTEST: usize = 40;
    let budget = tokens.saturating_mul(CHARACTERS_PER_TOKEN);
    if tools.len().saturating_mul(SHORTEST) > budget {
        return None;
    }
    Some(declare(tools)).filter(|declarations| declarations.len() <= budget)
}

/// Returns as many full declarations as fit, then a line for each further tool as far as these fit.
fn declarations_within(tools: &[(&Tool, Preview<'_>)], tokens: usize) -> String {
    if let Some(all) = all_declarations_within(tools, tokens) {
        return all;
    }
    let budget = tokens.saturating_mul(CHARACTERS_PER_TOKEN);
    // Half of the budget is for full declarations, the other half for the list of the rest.
    let mut left = budget / 2;
    let mut shown = 0;
    for tool in tools {
        let length = declare(std::slice::from_ref(tool)).len();
        if length > left {
            break;
        }
        left -= length;
        shown += 1;
    }
    let mut text = if shown > 0 { declare(&tools[..shown]) } else { String::new() };
    for (index, (tool, _)) in tools.iter().enumerate().skip(shown) {
        let line = format!("// {}: {}\n", tool.path(), comment_line(first_paragraph(tool.description_text()), 80));
        let rest = format!("// … and {} more: describe a narrower path, or search\n", tools.len() - index);
        if text.len() + line.len() + rest.len() > budget {
            text.push_str(&rest);
            break;
        }
        text.push_str(&line);
    }
    text.truncate(text.floor_char_boundary(budget));
    text
}

/// Returns the first paragraph that is not a heading.
pub(super) fn first_paragraph(text: &str) -> &str {
    let paragraphs = text.split("\n\n").map(str::trim);
    paragraphs.clone().find(|one| !one.is_empty() && !one.starts_with('#')).or(paragraphs.last()).unwrap_or_default()
}
