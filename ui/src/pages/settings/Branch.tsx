// One branch of a job's tree: matches and actions one after the other; a match has two branches of its own.
import { useText } from '#/i18n/text'
import type { Node } from '#/settings/imports/tree'
import { Button } from '#/ui/Button'
import { Icon } from '#/ui/Icon'
import { Select } from '#/ui/Select'
import styles from './settings.module.css'

interface Choice {
  value: string
  text: string
}

interface Props {
  label: string
  nodes: readonly Node[]
  matches: readonly Choice[]
  actions: readonly Choice[]
  onChange: (nodes: readonly Node[]) => void
}

export function Branch({ label, nodes, matches, actions, onChange }: Props) {
  const t = useText()
  const set = (at: number, node: Node) =>
    onChange(nodes.map((one, index) => (index === at ? node : one)))
  const add = (kind: Node['kind']) => (profileId: string) =>
    onChange([...nodes, { kind, profileId, found: [], none: [] }])
  return (
    <section className={styles.branch} aria-label={label}>
      <h3 className="sm medium">{label}</h3>
      <ul className="stack tight">
        {nodes.map((node, at) => {
          const isMatch = node.kind === 'MATCH'
          const name =
            (isMatch ? matches : actions).find((one) => one.value === node.profileId)?.text ?? ''
          return (
            // The same profile may stand twice: its place is its name.
            <li key={`${at} ${node.profileId}`} className="stack tight">
              <div className="row">
                <Icon name={isMatch ? 'search' : 'play'} />
                <span className="grow">
                  {t(isMatch ? 'set.tree.match' : 'set.tree.action')}{' '}
                  <bdi className="medium">{name}</bdi>
                </span>
                <Button
                  small
                  kind="quiet"
                  icon="x"
                  aria-label={t('set.tree.remove', { name })}
                  onPress={() => onChange(nodes.filter((_, index) => index !== at))}
                />
              </div>
              {isMatch ? (
                <>
                  <Branch
                    label={t('set.tree.found', { name })}
                    nodes={node.found}
                    matches={matches}
                    actions={actions}
                    onChange={(found) => set(at, { ...node, found })}
                  />
                  <Branch
                    label={t('set.tree.none', { name })}
                    nodes={node.none}
                    matches={matches}
                    actions={actions}
                    onChange={(none) => set(at, { ...node, none })}
                  />
                </>
              ) : null}
            </li>
          )
        })}
      </ul>
      <div className={styles.range}>
        <Select
          key={`match ${nodes.length}`}
          label={t('set.tree.addMatch')}
          placeholder={t('rules.choose')}
          value={undefined}
          choices={matches}
          onChange={add('MATCH')}
        />
        <Select
          key={`action ${nodes.length}`}
          label={t('set.tree.addAction')}
          placeholder={t('rules.choose')}
          value={undefined}
          choices={actions}
          onChange={add('ACTION')}
        />
      </div>
    </section>
  )
}
