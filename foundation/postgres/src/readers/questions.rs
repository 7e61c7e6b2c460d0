//! A question that many ask and a server answers: one at a time under way, and each answer is for
//! all who asked before the question was sent. Knows nothing of what is asked.

use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

type Asker<T> = oneshot::Sender<Option<T>>;

/// Asks on behalf of many. What it costs the server is bounded by round trips, not by askers.
#[derive(Debug)]
pub(super) struct Questions<T> {
    askers: mpsc::UnboundedSender<Asker<T>>,
    task: AbortHandle,
}

impl<T: Clone + Send + 'static> Questions<T> {
    /// Begins to ask by calling `put`, which gives `None` when there is no answer.
    pub(super) fn start<F>(mut put: impl FnMut() -> F + Send + 'static) -> Self
    where
        F: Future<Output = Option<T>> + Send,
    {
        let (sender, mut askers) = mpsc::unbounded_channel::<Asker<T>>();
        let task = tokio::spawn(async move {
            let mut together = Vec::new();
            // Who comes while a question is under way waits for the next: that one may have been
            // answered before what they have to see happened.
            while askers.recv_many(&mut together, usize::MAX).await > 0 {
                let answer = put().await;
                for asker in together.drain(..) {
                    // One that has gone away does not need it.
                    let _ = asker.send(answer.clone());
                }
            }
        });
        Self {
            askers: sender,
            task: task.abort_handle(),
        }
    }

    /// An answer to a question that is put after this call.
    pub(super) async fn ask(&self) -> Option<T> {
        let (asker, answer) = oneshot::channel();
        self.askers.send(asker).ok()?;
        answer.await.ok().flatten()
    }
}

impl<T> Drop for Questions<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn all_who_asked_before_share_one_question_and_later_ones_get_another() {
        let put = Arc::new(AtomicUsize::new(0));
        let answers = Arc::new(Semaphore::new(0));
        let questions = {
            let (put, answers) = (Arc::clone(&put), Arc::clone(&answers));
            Arc::new(Questions::start(move || {
                let number = put.fetch_add(1, Ordering::SeqCst) + 1;
                let answers = Arc::clone(&answers);
                async move {
                    answers.acquire().await.ok()?.forget();
                    Some(number)
                }
            }))
        };
        let ask = || {
            let questions = Arc::clone(&questions);
            tokio::spawn(async move { questions.ask().await })
        };
        let first = ask();
        while put.load(Ordering::SeqCst) < 1 {
            tokio::task::yield_now().await;
        }
        // The first question is under way; a hundred more come.
        let later: Vec<_> = (0..100).map(|_| ask()).collect();
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        assert_eq!(put.load(Ordering::SeqCst), 1);
        answers.add_permits(2);
        assert_eq!(first.await.unwrap(), Some(1));
        for one in later {
            assert_eq!(one.await.unwrap(), Some(2));
        }
        assert_eq!(put.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn who_asks_nobody_gets_no_answer() {
        let questions = Questions::<u8>::start(|| async { None });
        assert_eq!(questions.ask().await, None);
        questions.task.abort();
        assert_eq!(questions.ask().await, None);
    }
}
