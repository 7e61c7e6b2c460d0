// The workloads that can be run, with their names in the person's language where we know them.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { isKnown, READS, WORKLOADS } from '#/workbench/command'
import { workloadsQuery } from '#/workbench/serverRuns'

export function useWorkloads(): { id: string; name: string; writes: boolean }[] {
  const t = useText()
  const { data } = useQuery(workloadsQuery)
  const named = (id: string, name: string) => (isKnown(id) ? t(`bench.workload.${id}`) : name)
  if (data?.state === 'there')
    return data.data.workloads.map(({ id, name, writes }) => ({
      id,
      name: named(id, name),
      writes,
    }))
  return WORKLOADS.map((id) => ({ id, name: named(id, id), writes: !READS.includes(id) }))
}
