// All titles that the search finds, as MARC or as their ids: also those behind the rows that the list reaches.
import { useText } from '#/i18n/text'
import { download } from '#/lib/download'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { idsFound } from '#/transfer/quickExport'
import { useMarcSave } from '#/transfer/useMarcSave'
import { useSaving } from '#/transfer/useSaving'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'

export function SaveFound({ query, found }: { query: string; found: number }) {
  const t = useText()
  const { number } = useFormats()
  const marc = useMarcSave('INSTANCE', 'titles')
  const ids = useSaving()
  const mayRead = useNeeds('search.instances.ids.collection.get')
  const none = found ? undefined : t('inventory.nothing')
  const label = t('inventory.saveFound')
  const count = number(found)
  return (
    <>
      <span className="sm soft" role="status">
        {marc.said ?? ids.said}
      </span>
      <Menu
        label={label}
        trigger={
          <Button small kind="quiet" icon="download" busy={marc.busy || ids.busy}>
            {label}
          </Button>
        }
        acts={[
          {
            id: 'marc',
            text: t('inventory.foundMarc', { count }),
            disabled: none ?? mayRead.reason ?? marc.reason,
            run: () => marc.save((signal) => idsFound(query, signal)),
          },
          {
            id: 'ids',
            text: t('inventory.foundIds', { count }),
            disabled: none ?? mayRead.reason,
            run: () =>
              ids.run(async (signal) => {
                const all = await idsFound(query, signal)
                download('instances.csv', `${all.join('\n')}\n`)
                return t('list.csvDone', { count: number(all.length) })
              }),
          },
          {
            id: 'query',
            text: t('inventory.foundQuery'),
            run: () => download('query.cql', `${query}\n`),
          },
        ]}
      />
    </>
  )
}
