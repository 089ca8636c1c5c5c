import { useCallback, useEffect, useRef, useState } from "react";

/** The newest rows of a list and how many there are in all; `totalIsEstimate`: there are more. */
export type Slice<Row> = { rows: Row[]; total: number; totalIsEstimate?: boolean };

type State<Row> = { data: Slice<Row> | null; error: unknown; isLoading: boolean };

/**
 * A list that is read from its newest row on, a slice at a time. `load` brings the rows before one, or the newest; with
 * another `load` (memoize it) and on `reload()` the list starts over, showing the old rows until then.
 */
export const useOlder = <Row extends { id: string | number }>(
  load: (before?: Row["id"]) => Promise<Slice<Row>>,
) => {
  const [state, setState] = useState<State<Row>>({ data: null, error: null, isLoading: true });
  const newest = useRef(0);

  const ask = useCallback(
    async (known: readonly Row[]) => {
      newest.current += 1;
      const call = newest.current;
      setState((now) => ({ ...now, isLoading: true }));
      try {
        const slice = await load(known.at(-1)?.id);
        if (call !== newest.current) return;
        setState({ data: { ...slice, rows: [...known, ...slice.rows] }, error: null, isLoading: false });
      } catch (error) {
        if (call === newest.current) setState(({ data }) => ({ data, error, isLoading: false }));
      }
    },
    [load],
  );

  const reload = useCallback(() => void ask([]), [ask]);
  useEffect(() => reload(), [reload]);

  return { ...state, reload, loadOlder: () => void ask(state.data?.rows ?? []) };
};
