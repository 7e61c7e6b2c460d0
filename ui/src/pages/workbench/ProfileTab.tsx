// Where the running server spends processor time, or what allocates its memory.
import { useEffect, useRef, useState } from 'react'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { download } from '#/lib/download'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Segmented } from '#/ui/Segmented'
import { Select } from '#/ui/Select'
import { type ProfileKind, takeProfile, treeOf } from '#/workbench/profile'
import { ProfileView } from './ProfileView'
import styles from './workbench.module.css'

const SECONDS = ['3', '10', '30', '120'] as const
const KINDS: readonly ProfileKind[] = ['cpu', 'allocated', 'held']

export function ProfileTab() {
  const t = useText()
  const may = useNeeds('octavo.profile.get')
  const act = useAct()
  const [kind, setKind] = useState<ProfileKind>('cpu')
  const [seconds, setSeconds] = useState<(typeof SECONDS)[number]>('10')
  const [folded, setFolded] = useState<{ kind: ProfileKind; text: string }>()
  const stop = useRef<AbortController>(undefined)
  // The server ends a profile whose client is gone.
  useEffect(() => () => stop.current?.abort(), [])
  const take = () =>
    act.run(async () => {
      stop.current = new AbortController()
      try {
        setFolded({ kind, text: await takeProfile(kind, Number(seconds), stop.current.signal) })
      } catch (error) {
        if (!stop.current.signal.aborted) throw error
      }
    })
  return (
    <section className="stack wide" aria-labelledby="bench-profile">
      <div className="stack tight">
        <h2 id="bench-profile">{t('bench.tab.profile')}</h2>
        <p className="soft sm">{t('bench.profileWhat')}</p>
      </div>
      <div className={styles.form}>
        <Segmented
          label={t('bench.kind')}
          value={kind}
          onChange={setKind}
          choices={KINDS.map((value) => ({ value, text: t(`bench.profile.${value}`) }))}
        />
        <span className={styles.short}>
          <Select
            label={t('bench.seconds')}
            value={seconds}
            onChange={setSeconds}
            choices={SECONDS.map((value) => ({ value, text: value }))}
          />
        </span>
        <Button
          kind="primary"
          icon="activity"
          busy={act.busy}
          disabled={may.reason}
          onPress={() => void take()}
        >
          {t(act.busy ? 'bench.sampling' : 'bench.takeProfile')}
        </Button>
        {act.busy ? (
          <Button kind="quiet" onPress={() => stop.current?.abort()}>
            {t('bench.stop')}
          </Button>
        ) : null}
        {folded ? (
          <Button
            kind="quiet"
            icon="download"
            onPress={() => download(`octavo-${folded.kind}.folded`, folded.text, 'text/plain')}
          >
            {t('bench.stacksFile')}
          </Button>
        ) : null}
      </div>
      {may.reason ? <p className="sm soft">{may.reason}</p> : null}
      <NotDone failure={act.failure} />
      {folded ? <ProfileView kind={folded.kind} root={treeOf(folded.text)} /> : null}
    </section>
  )
}
