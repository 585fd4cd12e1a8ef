import Glibc
import RenderWorker

exit(WorkerMain.run(arguments: CommandLine.arguments))
