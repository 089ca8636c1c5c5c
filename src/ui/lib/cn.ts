import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names; of two Tailwind classes for the same property the later one stays. */
export const cn = (...classes: ClassValue[]): string => twMerge(clsx(classes));
