//# title = "dates are computed as everywhere"
//# [expect]
//# result = '["2024-03-02T00:00:00.000Z",946598400000,2019,null,"2024-03-05T10:00:00.000Z"]'
//# warnings = ["`3` is NaN, which JSON does not have, and was returned as null"]
const d = new Date(Date.UTC(2024, 0, 31));
d.setUTCMonth(1);
return [d.toISOString(), Date.UTC(1999, 11, 31), new Date(2019, 0).getFullYear(), new Date(8.64e15 + 1).getTime(), new Date("Tue, 05 Mar 2024 10:00:00 GMT").toJSON()];
