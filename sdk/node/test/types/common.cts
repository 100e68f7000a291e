// The types for CommonJS.
import isobox = require('isobox');

const runtime: isobox.Isobox = new isobox.Isobox();
void runtime;

import directive = require('isobox/directive');
import toolshed = require('isobox/toolshed');

void directive.runInSandbox({ source: '1' });
void new toolshed.ElicitationEngine();
