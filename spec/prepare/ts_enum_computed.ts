//# title = "members of an enum may be computed from others"
//# [expect]
//# result = '[3,4,"Both"]'
enum Flag { None = 0, Read = 1 << 0, Write = 1 << 1, Both = Read | Write, Length = "four".length }
return [Flag.Both, Flag.Length, Flag[3]];
