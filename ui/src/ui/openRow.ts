// A row that is pressed shows so at once: the files of its record are asked for after that frame.
import { afterFrame } from '#/lib/afterFrame'
import type { TableProps } from './Table'

export function openRow<T>({ onOpen }: TableProps<T>, row: T, newTab: boolean) {
  // A tab is opened by the press itself, or the browser takes it for an advertisement.
  if (newTab) onOpen?.(row, true)
  else afterFrame(() => onOpen?.(row, false))()
}
