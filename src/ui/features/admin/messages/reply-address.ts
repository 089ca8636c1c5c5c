/** The address that opens a mail to somebody in the reader's own mail program (RFC 6068). */
export const replyAddress = ({ email, subject }: { email: string; subject: string }): string =>
  // The sign between name and host is written as it is.
  `mailto:${encodeURIComponent(email).replace("%40", "@")}?subject=${encodeURIComponent(subject)}`;
