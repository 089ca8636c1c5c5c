import { useEffect, useState } from "react";

/** Where the build leaves the passwords that the server refuses as too common. */
export const commonPasswordsPath = "/texts/common-passwords.txt";

/**
 * Whether the server would refuse a password, in whatever case, as one of the most common. The list is fetched with the
 * first character that is typed; `null` until it is there, and where it cannot be had: the server decides.
 */
export const useIsCommonPassword = (password: string): boolean | null => {
  const [list, setList] = useState<ReadonlySet<string>>();
  const isTouched = password !== "";
  useEffect(() => {
    if (isTouched) void load().then(setList);
  }, [isTouched]);
  return list?.has(password.toLowerCase()) ?? null;
};

let loading: Promise<ReadonlySet<string> | undefined> | undefined;

/** Forgets the list; for tests. */
export const forgetCommonPasswords = (): void => {
  loading = undefined;
};

const load = () => {
  loading ??= fetchList().catch(() => {
    // Only a hint is missing; it is asked for again when a new password is begun.
    loading = undefined;
    return undefined;
  });
  return loading;
};

const fetchList = async (): Promise<ReadonlySet<string>> => {
  const answer = await fetch(commonPasswordsPath);
  if (!answer.ok) throw new Error(`the list of common passwords was answered with ${answer.status}`);
  return new Set((await answer.text()).split("\n"));
};
