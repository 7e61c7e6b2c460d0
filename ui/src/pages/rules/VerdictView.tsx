// The line that decides, its policies, and the lines that match less exactly.
import { useText } from '#/i18n/text'
import { Note } from '#/ui/Note'
import { POLICY_LETTERS, type Verdict } from './ask'
import styles from './rules.module.css'

export function VerdictView({ verdict }: { verdict: Verdict }) {
  const t = useText()
  return (
    <>
      <Note kind="ok">
        <p role="status">
          <strong>{t('rules.decides', { line: verdict.line ?? 0 })}</strong>
        </p>
      </Note>
      <dl className={styles.found}>
        {POLICY_LETTERS.flatMap((letter) => [
          <dt key={`${letter} term`}>{t(`rules.policy.${letter}`)}</dt>,
          <dd key={letter}>
            <bdi>{verdict.policies[letter]}</bdi>
          </dd>,
        ])}
      </dl>
      {verdict.others.length ? (
        <section className="stack tight">
          <h3>{t('rules.others')}</h3>
          <ul className="sm soft stack tight">
            {verdict.others.map(({ line, policy }) => (
              <li key={line} className="row">
                <span className="muted">{t('rules.line', { line })}</span>
                <bdi>{policy}</bdi>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}
