//# title = "the clock starts at the real time"
//# [expect]
//# result = 'true'
return Date.now() > Date.UTC(2025, 0, 1) && Date.now() < Date.UTC(2100, 0, 1);
