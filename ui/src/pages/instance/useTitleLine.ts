// The quiet line below a title: who, publisher and year, kind, language.
import { useNames } from '#/api/lists'
import type { Instance } from '#/inventory/types'
import { useLanguageName } from '#/inventory/useLanguageName'

export function useTitleLine(instance: Instance): string {
  const names = useNames('instanceTypes')
  const language = useLanguageName()
  const [publication] = instance.publication ?? []
  const first = instance.contributors?.find((one) => one.primary) ?? instance.contributors?.[0]
  return [
    first?.name,
    [publication?.publisher, publication?.dateOfPublication].filter(Boolean).join(', '),
    names('instanceTypes', instance.instanceTypeId),
    instance.languages?.map(language).join(', '),
  ]
    .filter(Boolean)
    .join(' · ')
}
