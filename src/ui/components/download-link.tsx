import type { ComponentProps, MouseEvent } from "react";
import { failureText, proved } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";

type DownloadLinkProps = Omit<ComponentProps<"a">, "download"> & { href: string };

/**
 * A link to a file that the browser saves as it arrives, however much it is, once the reader has confirmed that it is them
 * where that is wanted: of a link that is refused the browser would only show that it failed.
 */
export const DownloadLink = ({ href, onClick, ...props }: DownloadLinkProps) => {
  const save = async (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    onClick?.(event);
    try {
      await proved();
      const link = document.createElement("a");
      link.href = href;
      link.download = "";
      link.click();
    } catch (error) {
      notify({ tone: "error", message: failureText(error, "The download failed. Please try again.") });
    }
  };
  return <a {...props} href={href} download onClick={(event) => void save(event)} />;
};

// Long enough for the slowest browser to have begun reading.
const keptMs = 60_000;

/** Hands bytes or a text to the browser as a download. */
export const saveFile = (name: string, content: Blob): void => {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), keptMs);
};
