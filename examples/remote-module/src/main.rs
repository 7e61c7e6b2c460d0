//! The program: parses the command line, prints the address it listens on, serves.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use octavo_example_remote_module::{Options, descriptor, serve};
use tokio::net::TcpListener;

/// Reading lists as a FOLIO module of its own.
#[derive(Debug, Parser)]
#[command(name = "octavo-example-remote-module", version)]
struct Arguments {
    /// Where to listen; with port 0 on a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9191")]
    listen: std::net::SocketAddr,
    /// Print the module descriptor and end
    #[arg(long)]
    print_descriptor: bool,
    #[command(flatten)]
    options: Options,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.print_descriptor {
        println!("{:#}", descriptor(&arguments.options));
        return ExitCode::SUCCESS;
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("octavo-example-remote-module: {error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(arguments: Arguments) -> Result<(), std::io::Error> {
    let listener = TcpListener::bind(arguments.listen).await?;
    println!("listening on http://{}", listener.local_addr()?);
    // Programs that wait for this line read it through a pipe, which is buffered.
    std::io::stdout().flush()?;
    serve(listener, arguments.options, async {
        // Where Ctrl-C cannot be caught, the signal ends the process anyway.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
    .await;
    Ok(())
}
