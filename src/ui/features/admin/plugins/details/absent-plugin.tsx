import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { PageHeader } from "../../page-header.tsx";
import { detailsTexts as texts } from "./texts.ts";

/** Stands in the place of a page whose plugin is not there, with the ways on. */
export const AbsentPlugin = ({ name, isOff = false }: { name: string; isOff?: boolean }) => (
  <div className="grid gap-6">
    <PageHeader title={name} />
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

const look = buttonVariants({ variant: "outline", size: "sm" });
