//# title = "dates in every form"
//# [expect]
//# result = '["2024-02-29T23:59:58.987Z", "Thu, 29 Feb 2024 23:59:58 GMT", 4, 1709164800000, "2024-02-29T08:00:00.000Z", 1709200800500, null, 0, 946684800000, "2024-03-07T10:00:00.000Z", "2024-02-29T23:59:58.987Z", null]'
//# warnings = ["`6` is NaN, which JSON does not have, and was returned as null"]
const d = new Date(Date.UTC(2024, 1, 29, 23, 59, 58, 987));
return [d.toISOString(), d.toUTCString(), d.getUTCDay(), new Date("2024-02-29").getTime(), new Date("2024-02-29T10:00:00+02:00").toISOString(), new Date("2024-02-29T10:00:00.5Z").getTime(), Date.parse("nonsense"), new Date(2024, 0, 31, 0).getMonth(), new Date(0).setUTCFullYear(2000), new Date("March 7, 2024 10:00 UTC").toISOString(), d.toJSON(), new Date(NaN).getTime()];
