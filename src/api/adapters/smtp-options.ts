/**
 * How every connection to the mail server is made: a password never crosses a network unencrypted, and a server that falls
 * silent at any point is left after `silenceMs`.
 */
export const smtpOptions = (smtpUrl: string, silenceMs: number) => ({
  requireTLS: sendsPasswordAway(smtpUrl),
  connectionTimeout: silenceMs,
  greetingTimeout: silenceMs,
  socketTimeout: silenceMs,
  dnsTimeout: silenceMs,
});

/** Host and port of the mail server, without user and password; the port that its protocol has unless one is given. */
export const smtpServer = (smtpUrl: string): { host: string; port: number; name: string } => {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const usual = protocol === "smtps:" ? 465 : 587;
  const given = port === "" ? usual : Number(port);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: given, name: `${hostname}:${given}` };
};

const sendsPasswordAway = (smtpUrl: string): boolean => {
  const { password, hostname } = new URL(smtpUrl);
  return password !== "" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
};
