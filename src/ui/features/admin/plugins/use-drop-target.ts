import { useEffect, useRef, useState } from "react";

/**
 * Takes a file that is dropped anywhere in the window, dialogs included; the browser would leave the page for it. Returns
 * whether one is being dragged over the window. Of several files the first is taken.
 */
export const useDropTarget = (onFile: (file: File) => void): boolean => {
  const [isDragging, setIsDragging] = useState(false);
  const take = useRef(onFile);
  useEffect(() => {
    take.current = onFile;
  });
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setIsDragging(true);
    };
    // Leaving one element for another inside the window names the other.
    const onDragLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setIsDragging(false);
    const onDrop = (event: DragEvent) => {
      setIsDragging(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      take.current(file);
    };
    addEventListener("dragover", onDragOver);
    addEventListener("dragleave", onDragLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onDragOver);
      removeEventListener("dragleave", onDragLeave);
      removeEventListener("drop", onDrop);
    };
  }, []);
  return isDragging;
};
