import { Fragment, type ReactNode } from "react";
import type { VisitorView } from "#contract/settings.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { type DraftPath, fieldsBelow } from "./draft.ts";
import { ManagedNote } from "./managed-note.tsx";
import { Section } from "./section.tsx";
import { type SwitchHint, securityHints } from "./security-hints.ts";
import { SettingField } from "./setting-field.tsx";
import { coreTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import type { StatusDesk } from "./use-system-status.ts";

type SecuritySectionProps = { form: SettingsForm; desk: StatusDesk };

/** The switches of the core with what each does now; while the firewall manages them, what it forces is shown. */
export const SecuritySection = ({ form, desk }: SecuritySectionProps) => {
  const { isManaged } = form;
  const visitor = desk.status?.visitor ?? null;
  const forced = isManaged ? true : undefined;
  const hints = securityHints({
    saved: form.saved.draft,
    draft: form.draft,
    isManaged,
    status: desk.status,
  });
  const own: { [Path in DraftPath]?: { hint: ReactNode; forced?: boolean | undefined } } = {
    "security.trustProxy": {
      forced,
      hint: (
        <Hint hint={hints["security.trustProxy"]}>
          {visitor !== null && viewOf(visitor)} {isManaged && texts.forced}
        </Hint>
      ),
    },
    "security.helmetEnabled": {
      hint: <Hint hint={hints["security.helmetEnabled"]}>{isManaged && texts.locked}</Hint>,
    },
    "security.corsEnabled": {
      forced,
      hint: <Hint hint={hints["security.corsEnabled"]}>{isManaged && texts.forced}</Hint>,
    },
  };
  return (
    <Section id="security" lead={texts.securityLead}>
      {isManaged && <ManagedNote />}
      <div className="divide-y divide-border px-5 py-1">
        {fieldsBelow("security").map((field) => (
          <Fragment key={field.path}>
            <SettingField form={form} field={field} {...own[field.path]} />
            {field.path === "security.trustProxy" && visitor !== null && visitor.warning !== null && (
              <Alert severity="warning" title={texts.proxyWarning} className="my-3">
                {visitor.warning}
              </Alert>
            )}
          </Fragment>
        ))}
      </div>
    </Section>
  );
};

const Hint = ({ hint, children }: { hint: SwitchHint; children: ReactNode }) => (
  <>
    {hint.now} {children}
    {hint.after !== null && <p className="text-foreground">{hint.after}</p>}
  </>
);

const viewOf = ({ ip, peer, isBehindTrustedProxy, trustedProxies }: VisitorView): string =>
  `${isBehindTrustedProxy ? texts.proxied(ip, peer) : texts.direct(ip)} ${texts.believed(trustedProxies)}`;
