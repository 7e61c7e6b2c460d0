// A record of a reference list. An id that the list lacks stays, as it is.
import { type ListName, useList } from '#/api/lists'
import { Choice } from './Choice'

interface Props {
  id: string
  label: string
  error?: string
  mark?: 'needed'
  bare?: boolean
  list: ListName
  value: string | undefined
  onChange: (value: string | undefined) => void
}

export function ListChoice({ list, value, ...rest }: Props) {
  const records = useList(list)
  const choices = records
    // A closed location is offered to nobody who does not have it already.
    .filter((one) => one.isActive !== false || one.id === value)
    .map((one) => ({ value: one.id, text: one.code ? `${one.name} (${one.code})` : one.name }))
  if (value && !choices.some((one) => one.value === value)) choices.push({ value, text: value })
  return <Choice {...rest} choices={choices} value={value} />
}
