//# title = "a Date is its ISO text"
//# [expect]
//# result = '["1970-01-01T00:00:00.000Z",{"at":"2024-02-29T12:30:15.007Z"}]'
return [new Date(0), { at: new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 7)) }];
