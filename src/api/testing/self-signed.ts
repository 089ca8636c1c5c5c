/** A key and its certificate for `mail.example.test`, signed by itself, for a hundred years and for tests alone. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgS2KCROu+JSJsp8eT
xKGt+CY+X6TqGh/8NcQGlBb9SmihRANCAAQKLOh9Aoilz+L4uri2/x/iTOjO2/2C
QmQbsSPOZjUo7xPrVWTVgTLUaYWl6gf0HBt3/M6K+f/wc0nDSOGHD+GU
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBjjCCATWgAwIBAgIUabHk2CFaBr1LAC/tMoYg79LuTRMwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRbWFpbC5leGFtcGxlLnRlc3QwIBcNMjYxMTIxMDQ1OTQzWhgP
MjEyNjEwMjgwNDU5NDNaMBwxGjAYBgNVBAMMEW1haWwuZXhhbXBsZS50ZXN0MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECizofQKIpc/i+Lq4tv8f4kzoztv9gkJk
G7EjzmY1KO8T61Vk1YEy1GmFpeoH9Bwbd/zOivn/8HNJw0jhhw/hlKNTMFEwHQYD
VR0OBBYEFBwaMdvEQMWgk2ddn3RHvnw6ixliMB8GA1UdIwQYMBaAFBwaMdvEQMWg
k2ddn3RHvnw6ixliMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIg
bh/bXj/QAjW9Ki3FyCucAEIS0M8dxr3+5fMfce5EJUMCIFpEdvIUyF9iEDlg/b5P
DyjqkTtJ1IxNf9wjL7szNQ42
-----END CERTIFICATE-----
`,
};
