//# title = "a program that returns does not wait for the time of an AbortSignal, and no warning tells of it"
//# [expect]
//# result = '[false,"2024-09-12T19:00:00.000Z"]'
const signal = AbortSignal.timeout(30000);
return [signal.aborted, new Date("2024-09-13T00:00:00+05:00")];
