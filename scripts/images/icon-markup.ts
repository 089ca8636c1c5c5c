type Icon = {
  /** The sign as SVG, on its own rounded tile. */
  sign: string;
  /** Edge in pixels. */
  size: number;
  /** Fills the whole square with the tile's colour and keeps the sign in the middle 80 percent. */
  isMaskable: boolean;
};

/** A page that shows nothing but the sign, ready to be photographed. */
export const iconMarkup = ({ sign, size, isMaskable }: Icon): string => {
  const edge = isMaskable ? Math.round(size * 0.86) : size;
  const ground = isMaskable ? "#0f766e" : "transparent";
  return `<!doctype html><style>
    * { margin: 0 }
    body { width: ${size}px; height: ${size}px; display: grid; place-items: center; background: ${ground} }
    svg { width: ${edge}px; height: ${edge}px }
  </style>${sign}`;
};
