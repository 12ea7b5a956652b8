import "./limits-of-environment.ts";
import "../../server/main.ts";
