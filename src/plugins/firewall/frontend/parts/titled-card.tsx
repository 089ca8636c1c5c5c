import { Card, CardHeader, CardTitle } from "@atrium/plugin-sdk/ui";
import { type ComponentProps, type ReactNode, useId } from "react";

type TitledCardProps = Omit<ComponentProps<typeof Card>, "title"> & {
  title: string;
  /** What it is for, below the title. */
  lead?: ReactNode;
};

/** A card under its title. */
export const TitledCard = ({ title, lead, children, ...card }: TitledCardProps) => {
  const id = useId();
  return (
    <Card aria-labelledby={id} {...card}>
      <CardHeader className={lead === undefined ? "" : "block"}>
        <CardTitle id={id}>{title}</CardTitle>
        {lead !== undefined && <p className="mt-1 text-[0.8125rem] text-muted-foreground">{lead}</p>}
      </CardHeader>
      {children}
    </Card>
  );
};
