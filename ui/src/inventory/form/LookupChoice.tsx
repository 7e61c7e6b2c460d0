// A record that is looked up; the form keeps its id, the field shows its name.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Lookup } from '#/ui/Lookup'
import type { LookupOf } from './specs'

interface Props {
  id: string
  label: string
  error?: string
  mark?: 'needed'
  of: LookupOf
  value: string | undefined
  onChange: (id: string | undefined) => void
}

export const nameQuery = ({ list, nameOf }: LookupOf, id: string | undefined) => ({
  queryKey: ['named', list, id],
  queryFn: ({ signal }: { signal: AbortSignal }) => nameOf(id ?? '', signal),
  staleTime: 60_000,
  enabled: Boolean(id),
})

export function LookupChoice({ of, value, onChange, ...rest }: Props) {
  const client = useQueryClient()
  const { data, isError } = useQuery(nameQuery(of, value))
  const shown = value ? { id: value, text: data ?? (isError ? value : '') } : undefined
  return (
    <Lookup
      {...rest}
      list={of.list}
      search={of.search}
      value={shown}
      onChange={(option) => {
        // Its name is known: a field that is empty until the server says it again would open its list.
        if (option) client.setQueryData(nameQuery(of, option.id).queryKey, option.text)
        onChange(option?.id)
      }}
    />
  )
}
