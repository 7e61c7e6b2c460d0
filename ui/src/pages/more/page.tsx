// On phones: the places that the bottom bar has no room for.
import { Groups } from '#/app/Rail'
import { useText } from '#/i18n/text'
import { Head, page } from '#/ui/Page'
import styles from './more.module.css'

export function MorePage() {
  const t = useText()
  return (
    <>
      <Head title={t('shell.more')} />
      <nav className={`${page.body} ${styles.places}`} aria-label={t('shell.more')}>
        <Groups />
      </nav>
    </>
  )
}
