#!/usr/bin/env python3
"""Makes cldr.bin, the locale data of isobox-intl, from the JSON packages of CLDR.

    crates/isobox-intl/data/make.py            download the packages with npm and write cldr.bin
    crates/isobox-intl/data/make.py --from DIR read packages that were unpacked into DIR before

The file contains sections (numbers, currencies, dates, …) of families (a language with all its regions and scripts). A
section of a family is compressed text. Every locale has one block in it: a line with its name, then sorted lines of a key
and a value. A block contains only what differs from the parent of its locale.
"""

import argparse
import json
import struct
import subprocess
import tempfile
from pathlib import Path

import zstandard

HERE = Path(__file__).parent
PACKAGES = {
    "cldr-core": "48.2.0", "cldr-numbers-full": "48.2.0", "cldr-dates-full": "48.2.0", "cldr-units-full": "48.2.0",
    "cldr-localenames-full": "48.2.0", "cldr-misc-full": "48.2.0", "cldr-bcp47": "48.2.0",
    "cldr-cal-buddhist-full": "39.0.0", "cldr-cal-japanese-full": "39.0.0",
    "cldr-cal-persian-full": "46.1.0",
}
# The units of ECMA-402, and the combinations of them for which CLDR has patterns.
UNITS = """acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour
inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter
millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week yard
year""".split()
# Locales that ICU leaves out, because CLDR has hardly any data for them.
LEFT_OUT = """aa ab an ann apc arn az-Arab bal be-tarask bew bgn blt bm-Nkoo bqi bss byn ca-ES-valencia cad cch cho cic co cop cu dv
el-polyton en-Dsrt en-Shaw frr gez gn ha-Arab hnj ht io iu jbo kaa kaj kcg kek ken kpe ku-Arab la lag lkt lld ltg lzz mdf mgo
mhn mic mn-Mong mni-Mtei moh ms-Arab mus mww myv nb-SJ nr nv ny oka osa pap pi pis quc rhg rif sat-Deva sdh sgs sid skr sma
smj sms ss ssy suz tig tpi trv trw ts ve vo wa wal wbp za zh-Latn""".split()
ABSENT = "\x01"  # what the parent has and the locale has not


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--from", dest="folder", type=Path)
    arguments = parser.parse_args()
    if arguments.folder:
        build(arguments.folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, version in PACKAGES.items():
            target = Path(folder) / name
            target.mkdir()
            subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], cwd=folder, check=True)
            subprocess.run(["tar", "xzf", f"{name}-{version}.tgz", "-C", name, "--strip-components=1"], cwd=folder, check=True)
        build(Path(folder))


def build(packages: Path) -> None:
    core = packages / "cldr-core"
    locales = [locale for locale in read(core / "availableLocales.json")["availableLocales"]["full"] if not is_left_out(locale)]
    parents = supplemental(core, "parentLocales")["parentLocales"]["parentLocale"]
    families: dict[tuple[str, str], list[str]] = {}
    for section, make in SECTIONS.items():
        resolved = {locale: make(packages, locale) for locale in locales}
        for locale in sorted(locales):
            parent = None if locale == "und" else parent_of(locale, parents, resolved)
            block = difference(resolved[locale], resolved[parent] if parent else {})
            if block or locale in ("und", locale.split("-")[0]):
                families.setdefault((section, locale.split("-")[0]), []).append(lines_of(locale, block))
    families["s", "und"] = [lines_of("und", common(packages, locales, parents))]
    write(families, HERE / "cldr.bin")


def is_left_out(locale: str) -> bool:
    return any(locale == name or locale.startswith(f"{name}-") for name in LEFT_OUT)


def write(families: dict[tuple[str, str], list[str]], path: Path) -> None:
    index, body = [], b""
    compressor = zstandard.ZstdCompressor(level=22, write_content_size=False, write_checksum=False)
    for (section, family), blocks in sorted(families.items()):
        text = "".join(blocks).encode()
        packed = compressor.compress(text)
        index.append(f"{section}/{family}\t{len(body)}\t{len(packed)}\t{len(text)}\n")
        body += packed
    head = "".join(sorted(index)).encode()
    path.write_bytes(struct.pack("<I", len(head)) + head + body)
    sizes: dict[str, int] = {}
    for line in index:
        name, _, packed, _ = line.split("\t")
        sizes[name[0]] = sizes.get(name[0], 0) + int(packed)
    print(path.stat().st_size, sizes)


def lines_of(locale: str, block: dict[str, str]) -> str:
    for key, value in block.items():
        assert not set("\t\n") & set(key + value), (locale, key)
    # Sorted by bytes, as the reader searches.
    rows = sorted(block.items(), key=lambda row: row[0].encode())
    return f"\n{locale}\n" + "".join(f"{key}\t{value}\n" for key, value in rows)


def difference(own: dict[str, str], parent: dict[str, str]) -> dict[str, str]:
    block = {key: value for key, value in own.items() if parent.get(key) != value}
    return block | {key: ABSENT for key in parent if key not in own}


def parent_of(locale: str, parents: dict[str, str], known: dict) -> str:
    while True:
        locale = parents.get(locale) or (locale.rpartition("-")[0] or "und")
        if locale in known:
            return locale


def read(path: Path):
    return json.loads(path.read_text("utf-8"))


def supplemental(core: Path, name: str):
    return read(core / "supplemental" / f"{name}.json")["supplemental"]


def locale_file(packages: Path, package: str, locale: str, name: str, *keys: str):
    path = packages / package / "main" / locale / name
    if not path.exists():
        return {}
    value = read(path)["main"][locale]
    for key in keys:
        value = value.get(key, {})
    return value


def flat(value, prefix: str) -> dict[str, str]:
    if isinstance(value, str):
        return {prefix: value}
    rows = {}
    for key, inner in value.items():
        if not key.endswith("-alt-ascii") and key != "_type":
            rows |= flat(inner, f"{prefix}/{key}")
    return rows


def numbers(packages: Path, locale: str) -> dict[str, str]:
    data = locale_file(packages, "cldr-numbers-full", locale, "numbers.json", "numbers")
    rows = {"default": data["defaultNumberingSystem"], "minimum": data["minimumGroupingDigits"]}
    rows |= flat(data.get("otherNumberingSystems", {}), "other")
    for key, value in data.items():
        kind, _, system = key.partition("-numberSystem-")
        if not system or kind == "rationalFormats":
            continue
        rows |= flat(value, f"{system}/{kind}")
    renamed = {}
    for key, value in rows.items():
        key = key.replace("/decimalFormats/long/decimalFormat/", "/long/").replace("/decimalFormats/short/decimalFormat/", "/short/")
        key = key.replace("/currencyFormats/short/standard/", "/money/").replace("-count-", "/").replace("-alt-alphaNextToNumber", "/alpha")
        renamed[key] = value
    return renamed


def currencies(packages: Path, locale: str) -> dict[str, str]:
    data = locale_file(packages, "cldr-numbers-full", locale, "currencies.json", "numbers", "currencies")
    rows = {}
    for code, names in data.items():
        for key, value in names.items():
            if key in ("symbol", "displayName") and value == code:
                continue
            short = {"displayName": "name", "symbol": "symbol", "symbol-alt-narrow": "narrow"}.get(key)
            short = short or (key.removeprefix("displayName-count-") if key.startswith("displayName-count-") else None)
            if short:
                rows[f"{code}/{short}"] = value
    return rows


def dates(packages: Path, locale: str) -> dict[str, str]:
    rows = {}
    for calendar in ("gregorian", "generic"):
        data = locale_file(packages, "cldr-dates-full", locale, f"ca-{calendar}.json", "dates", "calendars", calendar)
        for key, value in data.items():
            if key in ("dateTimeFormats-relative", "timeSkeletons", "dateSkeletons"):
                continue
            if calendar == "generic" and key not in ("dateFormats", "dateTimeFormats", "dateTimeFormats-atTime"):
                continue
            rows |= flat(value, f"{calendar}/{key}")
    rows = {key: value for key, value in rows.items() if "-count-" not in key}
    for calendar in ("buddhist", "japanese", "persian"):
        data = locale_file(packages, f"cldr-cal-{calendar}-full", locale, f"ca-{calendar}.json", "dates", "calendars", calendar)
        # Where a calendar is the usual one, it has formats of its own.
        if (calendar, locale) in (("buddhist", "th"), ("japanese", "ja"), ("persian", "fa")):
            rows |= flat(data["dateFormats"], f"{calendar}/dateFormats")
            for part in ("availableFormats", "appendItems"):
                found = flat(data["dateTimeFormats"][part], f"{calendar}/dateTimeFormats/{part}")
                rows |= {key: value for key, value in found.items() if "-count-" not in key}
        if calendar == "persian":
            rows |= flat(data.get("months", {}), "persian/months")
        for width, names in data.get("eras", {}).items():
            rows |= {f"{calendar}/eras/{width}/{era}": name for era, name in names.items()
                     if calendar != "japanese" or era.isdigit() and int(era) >= 232}
    return rows


def fields(packages: Path, locale: str) -> dict[str, str]:
    data = locale_file(packages, "cldr-dates-full", locale, "dateFields.json", "dates", "fields")
    rows = {}
    for key, value in flat(data, "").items():
        key = key[1:].replace("relativeTime-type-", "").replace("relativeTimePattern-count-", "").replace("relative-type-", "at/")
        rows[key] = value
    return {key: value for key, value in rows.items() if "/relativePeriod" not in key}


def zones(packages: Path, locale: str) -> dict[str, str]:
    return flat(locale_file(packages, "cldr-dates-full", locale, "timeZoneNames.json", "dates", "timeZoneNames"), "")


def units(packages: Path, locale: str) -> dict[str, str]:
    data = locale_file(packages, "cldr-units-full", locale, "units.json", "units")
    rows = {}
    for width in ("long", "short", "narrow"):
        for key, value in data.get(width, {}).items():
            name = key if key == "per" else key.partition("-")[2]
            parts = name.split("-per-")
            if name != "per" and not all(part in UNITS for part in parts):
                continue
            for inner, text in value.items():
                if isinstance(text, str) and "case-" not in inner and "gender" not in inner:
                    inner = inner.replace("unitPattern-count-", "").replace("perUnitPattern", "per")
                    if inner != "displayName":
                        rows[f"{width}/{name}/{inner}"] = text
    return rows


def lists(packages: Path, locale: str) -> dict[str, str]:
    data = locale_file(packages, "cldr-misc-full", locale, "listPatterns.json", "listPatterns")
    return {key[1:].replace("listPattern-type-", ""): value for key, value in flat(data, "").items()}


def names(packages: Path, locale: str) -> dict[str, str]:
    rows = {}
    for kind in ("languages", "territories", "scripts", "variants"):
        data = locale_file(packages, "cldr-localenames-full", locale, f"{kind}.json", "localeDisplayNames", kind)
        rows |= {f"{kind}/{key}": value for key, value in data.items() if isinstance(value, str) and value != key}
    data = locale_file(packages, "cldr-localenames-full", locale, "localeDisplayNames.json", "localeDisplayNames")
    rows |= flat(data.get("localeDisplayPattern", {}), "pattern")
    rows |= flat(data.get("types", {}).get("calendar", {}), "calendar")
    return rows


SECTIONS = {
    "n": numbers, "c": currencies, "d": dates, "f": fields, "z": zones, "u": units, "l": lists, "t": names,
}


def common(packages: Path, locales: list[str], parents: dict[str, str]) -> dict[str, str]:
    """What belongs to no locale."""
    core = packages / "cldr-core"
    defaults = read(core / "defaultContent.json")["defaultContent"]
    defaults = [name for name in defaults if name != "nb-NO" and parent_of(name, parents, locales) != "und"]
    rows = {"locales": " ".join(sorted({*locales, *defaults}))}
    rows |= {f"parent/{locale}": parent for locale, parent in parents.items()}
    for kind, name in (("cardinal", "plurals"), ("ordinal", "ordinals")):
        for language, rules in supplemental(core, name)[f"plurals-type-{kind}"].items():
            text = ";".join(f"{key.removeprefix('pluralRule-count-')}:{rule.partition('@')[0].strip()}"
                            for key, rule in rules.items() if not key.endswith("-other"))
            rows[f"{kind}/{language}"] = text
    for language, ranges in supplemental(core, "pluralRanges")["plurals"].items():
        for key, value in ranges.items():
            start, _, end = key.removeprefix("pluralRange-start-").partition("-end-")
            rows[f"range/{language}/{start}/{end}"] = value
    for code, data in supplemental(core, "currencyData")["currencyData"]["fractions"].items():
        rows[f"fraction/{code}"] = data["_digits"]
    for name, data in supplemental(core, "numberingSystems")["numberingSystems"].items():
        if data["_type"] == "numeric":
            rows[f"digits/{name}"] = data["_digits"]
    for region, data in supplemental(core, "timeData")["timeData"].items():
        rows[f"hours/{region.replace('_', '-')}"] = data["_preferred"]
        rows[f"allowed/{region.replace('_', '-')}"] = data["_allowed"]
    for region, calendars in supplemental(core, "calendarPreferenceData")["calendarPreferenceData"].items():
        rows[f"calendars/{region}"] = " ".join(calendars)
    week = supplemental(core, "weekData")["weekData"]
    for key in ("minDays", "firstDay", "weekendStart", "weekendEnd"):
        rows |= {f"week/{key}/{region}": value for region, value in week[key].items() if "-alt" not in region}
    for language, periods in supplemental(core, "dayPeriods")["dayPeriodRuleSet"].items():
        spans = (f"{name} {rule.get('_at') or rule['_from']} {rule.get('_at') or rule['_before']}"
                 for name, rule in periods.items())
        rows[f"periods/{language}"] = ";".join(spans)
    rows |= metazones(core)
    rows |= {f"primary/{region}": zone for region, zone in supplemental(core, "primaryZones")["primaryZones"].items()}
    rows |= time_zones(packages)
    return rows


def metazones(core: Path) -> dict[str, str]:
    data = supplemental(core, "metaZones")["metaZones"]
    rows = {}

    def walk(value, path: str) -> None:
        if isinstance(value, list):
            used = (entry["usesMetazone"] for entry in value)
            rows[f"metazone/{path}"] = ";".join(
                f"{entry['_mzone']},{entry.get('_from', '')},{entry.get('_to', '')}" for entry in used)
            return
        for key, inner in value.items():
            walk(inner, f"{path}/{key}" if path else key)

    walk(data["metazoneInfo"]["timezone"], "")
    for entry in data["metazones"]:
        zone = entry["mapZone"]
        rows[f"golden/{zone['_other']}/{zone['_territory']}"] = zone["_type"]
    return rows


def time_zones(packages: Path) -> dict[str, str]:
    rows = {}
    for short, data in read(packages / "cldr-bcp47" / "bcp47" / "timezone.json")["keyword"]["u"]["tz"].items():
        if not isinstance(data, dict) or "_alias" not in data:
            continue
        names = data["_alias"].split()
        for name in names:
            rows[f"zone/{name.lower()}"] = f"{names[0]} {name}"
        region = data.get("_region") or short[:2].upper()
        if len(short) == 5 and not short.startswith("utc"):
            rows[f"region/{names[0]}"] = region
    return rows


if __name__ == "__main__":
    main()
