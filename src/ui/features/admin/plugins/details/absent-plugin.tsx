import { useEffect } from "react";
import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { PageHeader } from "../../page-header.tsx";
import { detailsTexts as texts } from "./texts.ts";

type AbsentPluginProps = { name: string; title?: string; isOff?: boolean };

/** Stands in the place of a page whose plugin is not there, with the ways on. */
export const AbsentPlugin = ({ name, title = titleFor(name), isOff = false }: AbsentPluginProps) => {
  useEffect(() => {
    document.title = `${title} · Atrium admin`;
  }, [title]);
  return (
    <div className="grid gap-6">
      <PageHeader title={title} />
      <Alert
        severity="warning"
        title={texts.absent(name)}
        actions={
          <>
            <Link href="/admin/plugins" className={look}>
              {texts.toPlugins}
            </Link>
            <Link href="/admin" className={look}>
              {texts.toAdmin}
            </Link>
          </>
        }
      >
        {isOff ? texts.absentText : texts.notInstalled}
      </Alert>
    </div>
  );
};

/** What a plugin is called of which nothing but its name is known. */
const titleFor = (name: string): string => {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const look = buttonVariants({ variant: "outline", size: "sm" });
