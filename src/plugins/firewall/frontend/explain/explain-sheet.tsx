import { Sheet, Skeleton, useLoad } from "@atrium/plugin-sdk/ui";
import { useCallback, useState } from "react";
import type { TrafficRow } from "../../backend/wire.ts";
import { isAbsent } from "../calls.ts";
import { LoadAlert } from "../parts/lists.tsx";
import { withLocalTimes } from "../parts/requests.tsx";
import { explainTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { AddressActs, Explanation, RequestFacts } from "./explanation.tsx";

type ExplainSheetProps = {
  id: string;
  /** The request as the traffic tells it: of those that passed nothing more is known. */
  row?: TrafficRow | undefined;
  onClose: () => void;
};

/** One request beside the list that it was opened from: what happened, why, and what can be done about it. */
export const ExplainSheet = (props: ExplainSheetProps) => {
  // The list goes on meanwhile, and drops its oldest rows.
  const [row] = useState(props.row);
  if (row?.verdict !== "passed") return <NotedSheet {...props} row={row} />;
  return (
    <Sheet
      open
      onOpenChange={props.onClose}
      title={`${row.method} ${row.path}`}
      actions={<AddressActs address={row.address} id={row.id} />}
    >
      <Plain row={row} />
    </Sheet>
  );
};

/** What is written down about a request; of those that passed nothing is. */
const NotedSheet = ({ id, row, onClose }: ExplainSheetProps) => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.explain(id), [calls, id]);
  const { data, error, reload } = useLoad(load);
  const address = data?.entry.address ?? row?.address;
  const known = data?.entry ?? row;
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={known === undefined ? texts.request : `${known.method} ${known.path}`}
      actions={address !== undefined && <AddressActs address={address} id={id} />}
    >
      {data === null && error === null && <Skeleton className="h-64 w-full" />}
      {data !== null && <Explanation data={data} />}
      {data === null &&
        error !== null &&
        (isAbsent(error) ? <Plain row={row} /> : <LoadAlert error={error} onRetry={reload} />)}
    </Sheet>
  );
};

const Plain = ({ row }: { row: TrafficRow | undefined }) => {
  if (row === undefined)
    return (
      <p className="text-sm">
        {texts.absent}. {texts.absentText}
      </p>
    );
  return (
    <div className="grid gap-5 text-sm">
      {row.verdict === "passed" && <p>{texts.passed}</p>}
      {row.reasons.length > 0 && (
        <ul className="grid gap-1">
          {row.reasons.map((reason) => (
            <li key={reason} className="wrap-anywhere">
              {withLocalTimes(reason)}
            </li>
          ))}
        </ul>
      )}
      <RequestFacts request={row} who={row.user} />
    </div>
  );
};
