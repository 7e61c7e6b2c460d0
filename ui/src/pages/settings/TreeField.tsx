// What a job does, as a tree: what is looked for, and what is done where it is found or not.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { ACTIONS, MATCHES } from '#/settings/imports/records'
import type { Node } from '#/settings/imports/tree'
import { nameOf, recordsQuery } from '#/settings/records'
import { Branch } from './Branch'

interface Props {
  label: string
  value: unknown
  error: string | undefined
  onChange: (nodes: readonly Node[]) => void
}

export function TreeField({ label, value, error, onChange }: Props) {
  const t = useText()
  const { data: matches = [] } = useQuery(recordsQuery(MATCHES))
  const { data: actions = [] } = useQuery(recordsQuery(ACTIONS))
  return (
    <div className="stack tight">
      <Branch
        label={label}
        nodes={(value ?? []) as readonly Node[]}
        matches={matches.map((one) => ({ value: one.id, text: nameOf(one, MATCHES) }))}
        actions={actions.map((one) => ({ value: one.id, text: nameOf(one, ACTIONS) }))}
        onChange={onChange}
      />
      {error ? (
        <p className="sm" role="alert" tabIndex={-1} data-lacking="">
          {t('set.tree.needed')}
        </p>
      ) : null}
    </div>
  )
}
