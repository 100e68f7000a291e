const subject = 'Réponse à votre demande № 42 🎉';
const encoded = `=?UTF-8?B?${Buffer.from(subject, 'utf8').toString('base64')}?=`;
const decoded = Buffer.from(encoded.slice(10, -2), 'base64').toString('utf8');
const hex = Buffer.from('ÄÖ').toString('hex');
const sent = await tools.mail.send({ to: 'team@isobox.example', subject: encoded });
return { encoded: sent.subject, same: decoded === subject, hex, bytes: Buffer.byteLength(subject), url: Buffer.from([251, 255, 254]).toString('base64url') };
