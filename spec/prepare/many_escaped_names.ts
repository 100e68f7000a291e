//# title = "names may be written with escapes, as many as there are"
//# [expect]
//# result = '20'
let total = 0;
const \u{61}0 = 1; total += \u00610;
const \u{62}1 = 1; total += \u00621;
const \u{63}2 = 1; total += \u00632;
const \u{64}3 = 1; total += \u00643;
const \u{65}4 = 1; total += \u00654;
const \u{66}5 = 1; total += \u00665;
const \u{67}6 = 1; total += \u00676;
const \u{68}7 = 1; total += \u00687;
const \u{69}8 = 1; total += \u00698;
const \u{6a}9 = 1; total += \u006a9;
const \u{6b}10 = 1; total += \u006b10;
const \u{6c}11 = 1; total += \u006c11;
const \u{6d}12 = 1; total += \u006d12;
const \u{6e}13 = 1; total += \u006e13;
const \u{6f}14 = 1; total += \u006f14;
const \u{70}15 = 1; total += \u007015;
const \u{71}16 = 1; total += \u007116;
const \u{72}17 = 1; total += \u007217;
const \u{73}18 = 1; total += \u007318;
const \u{74}19 = 1; total += \u007419;
return total;
