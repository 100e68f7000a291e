// The types for CommonJS.
import isobox = require('isobox');

const runtime: isobox.Isobox = new isobox.Isobox();
void runtime;
