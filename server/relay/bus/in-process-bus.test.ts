import { describeBus } from "../testing/bus-contract.ts";
import { silentLog } from "../testing/silent-log.ts";
import { createInProcessBus } from "./in-process-bus.ts";

describeBus("in-process", false, async () => createInProcessBus(silentLog));
