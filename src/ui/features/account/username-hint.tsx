/** Tells password managers whose password a form is about; no one sees it. */
export const UsernameHint = ({ email }: { email: string }) => (
  <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
);
